package dev.cairn.runtime.memory.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.planner.BestFitPlanner;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import dev.cairn.runtime.memory.planner.ReusePlanner;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** From uses to a plan on two to four streams, and the proof of it. */
class StreamPlansTest {
  private static final List<MemoryPlanner> PLANNERS = List.of(BestFitPortfolio.ALL, BestFitPlanner.BY_SIZE,
    ReusePlanner.PLAIN, ReusePlanner.PEAK_TESTED, NaivePlanner.ARENA, NaivePlanner.POOLS);

  @Test
  void plansThatRespectTheConflictsAreProvedOnRandomStreams() {
    for (long seed = 0; seed < 500; seed++) {
      RandomSteps random = RandomSteps.seeded(seed);
      prove("seed " + seed, random.problem(), random.schedule());
      prove("seed " + seed + " coloured", random.problem(),
        StreamAnalysis.schedule(random.uses(), random.streams()));
    }
  }

  /** The validator is not satisfied by luck: what the serial order allows, streams often don't. */
  @Test
  void serialPlansAndMissingEventsAreCaught() {
    int serialCaught = 0;
    int eventCaught = 0;
    for (long seed = 0; seed < 500; seed++) {
      RandomSteps random = RandomSteps.seeded(seed);
      StreamSchedule schedule = random.schedule();
      MemoryPlan serial = BestFitPlanner.BY_SIZE.plan(random.problem());
      serialCaught += ConcurrentPlanValidator.validate(random.problem(), serial, schedule).isEmpty() ? 0 : 1;
      StreamSchedule torn = ConcurrentPlanValidatorTest.withoutOneWait(schedule, new Random(seed));
      MemoryProblem problem = random.problem()
        .with(StreamAnalysis.conflicts(random.problem(), schedule, StreamReuse.ORDERED));
      MemoryPlan plan = BestFitPlanner.BY_SIZE.plan(problem);
      eventCaught += ConcurrentPlanValidator.validate(problem, plan, torn).isEmpty() ? 0 : 1;
    }
    assertThat(serialCaught).isGreaterThan(250);
    assertThat(eventCaught).isGreaterThan(350);
  }

  /** On one stream there are no conflicts, and the serial plan is proved. */
  @Test
  void oneStreamIsTheSerialRun() {
    for (long seed = 0; seed < 100; seed++) {
      RandomSteps random = RandomSteps.seeded(seed);
      StreamSchedule schedule = StreamAnalysis.schedule(random.uses(), 1);
      assertThat(schedule.events()).isZero();
      for (StreamReuse reuse : StreamReuse.values()) {
        assertThat(StreamAnalysis.conflicts(random.problem(), schedule, reuse).isEmpty()).isTrue();
      }
      ConcurrentPlanValidator.requireValid(random.problem(), BestFitPortfolio.ALL.plan(random.problem()), schedule);
    }
  }

  private static void prove(String what, MemoryProblem serial, StreamSchedule schedule) {
    for (StreamReuse reuse : StreamReuse.values()) {
      MemoryProblem problem = serial.with(StreamAnalysis.conflicts(serial, schedule, reuse));
      for (MemoryPlanner planner : PLANNERS) {
        MemoryPlan plan = PlanValidator.requireValid(problem, planner.plan(problem));
        assertThat(ConcurrentPlanValidator.validate(problem, plan, schedule)).as("%s %s %s", what, reuse, plan.planner())
          .isEmpty();
      }
    }
  }
}
