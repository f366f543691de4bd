package dev.cairn.runtime.memory.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.planner.BestFitPlanner;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import dev.cairn.runtime.memory.planner.inductor.AllocationTreePlanner;
import dev.cairn.runtime.memory.planner.inductor.PoolMode;
import dev.cairn.runtime.memory.planner.inductor.ReusePlanner;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From uses to a plan on two to four streams, and the proof of it. */
class StreamPlansTest {
  private static final List<MemoryPlanner> PLANNERS = List.of(BestFitPortfolio.ALL, BestFitPlanner.BY_SIZE,
    ReusePlanner.PLAIN, ReusePlanner.PEAK_TESTED, AllocationTreePlanner.INTERMEDIATES,
    AllocationTreePlanner.of(PoolMode.NONE),
    AllocationTreePlanner.of(PoolMode.OUTPUTS), AllocationTreePlanner.of(PoolMode.COMBINED), NaivePlanner.ARENA,
    NaivePlanner.POOLS);

  @Test
  void plansThatRespectTheConflictsAreProvedOnRandomStreams() {
    proveRandomStreams(30);
  }

  @Test
  @Tag("soak")
  void plansThatRespectTheConflictsAreProvedOnManyRandomStreams() {
    proveRandomStreams(3_000);
  }

  private static void proveRandomStreams(int seeds) {
    for (long seed = 0; seed < seeds; seed++) {
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
    int seeds = 100;
    for (long seed = 0; seed < seeds; seed++) {
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
    assertThat(serialCaught).isGreaterThan(seeds / 2);
    assertThat(eventCaught).isGreaterThan(seeds * 7 / 10);
  }

  /** On one stream there are no conflicts, and the serial plan is proved. */
  @Test
  void oneStreamIsTheSerialRun() {
    for (long seed = 0; seed < 30; seed++) {
      RandomSteps random = RandomSteps.seeded(seed);
      StreamSchedule schedule = StreamAnalysis.schedule(random.uses(), 1);
      assertThat(schedule.events()).isZero();
      for (StreamReuse reuse : StreamReuse.values()) {
        assertThat(StreamAnalysis.conflicts(random.problem(), schedule, reuse).isEmpty()).isTrue();
      }
      ConcurrentPlanValidator.requireValid(random.problem(), BestFitPortfolio.ALL.plan(random.problem()), schedule);
    }
  }

  /** Never above the limit unless on one stream alone, and with no limit all branches run beside the first stream. */
  @Test
  void branchesThatHaveNoRoomRunInLine() {
    int beside = 0;
    int all = 0;
    for (long seed = 0; seed < 60; seed++) {
      RandomSteps random = RandomSteps.seeded(seed);
      long serial = BestFitPlanner.BY_SIZE.plan(random.problem()).peakBytes();
      StreamSchedule free = StreamAnalysis.schedule(random.uses(), random.streams());
      assertThat(within(Long.MAX_VALUE, random)).isEqualTo(free);
      StreamSchedule thrifty = within(serial + serial / 20, random);
      MemoryProblem problem = random.problem()
        .with(StreamAnalysis.conflicts(random.problem(), thrifty, StreamReuse.ORDERED));
      assertThat(BestFitPlanner.BY_SIZE.plan(problem).peakBytes()).isLessThanOrEqualTo(serial + serial / 20);
      assertThat(within(-1, random).stepsOn(0)).isEqualTo(random.uses().size());
      beside += random.uses().size() - (int) thrifty.stepsOn(0);
      all += random.uses().size() - (int) free.stepsOn(0);
    }
    assertThat(beside).isBetween(all / 10, all - 1);
  }

  private static StreamSchedule within(long limitBytes, RandomSteps random) {
    return StreamAnalysis.scheduleWithin(limitBytes, random.uses(), random.problem(), random.streams(),
      StreamReuse.ORDERED, BestFitPlanner.BY_SIZE);
  }

  private static void prove(String what, MemoryProblem serial, StreamSchedule schedule) {
    for (StreamReuse reuse : StreamReuse.values()) {
      MemoryProblem problem = serial.with(StreamAnalysis.conflicts(serial, schedule, reuse));
      for (MemoryPlanner planner : PLANNERS) {
        MemoryPlan plan = PlanValidator.requireValid(problem, planner.plan(problem));
        assertThat(ConcurrentPlanValidator.validate(problem, plan, schedule))
          .as("%s %s %s", what, reuse, plan.planner()).isEmpty();
      }
    }
  }
}
