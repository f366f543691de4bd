package dev.cairn.runtime.memory.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.ProblemCsv;
import dev.cairn.runtime.memory.ProblemFeature;
import dev.cairn.runtime.memory.RandomProblems;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every planner promises. A subclass names the planner in all its options, and nothing else. */
abstract class PlannerContract {
  /** In each build; more of them among the long tests. */
  private static final int SOME_PROBLEMS = 64;
  private static final int MANY_PROBLEMS = 240;

  /** The planner under test, once for each set of options. */
  abstract List<MemoryPlanner> planners();

  @Test
  void randomProblemsGetValidPlansNotBelowTheBound() {
    judgeRandom(0, SOME_PROBLEMS);
  }

  @Test
  @Tag("long")
  void manyRandomProblemsGetValidPlansNotBelowTheBound() {
    judgeRandom(SOME_PROBLEMS, MANY_PROBLEMS);
  }

  private void judgeRandom(long from, long to) {
    for (long seed = from; seed < to; seed++) {
      judge("seed " + seed, RandomProblems.seeded(seed));
    }
  }

  @Test
  void problemsWithFeaturesGetValidPlansOrAClearRefusal() {
    judgeWithFeatures(0, SOME_PROBLEMS);
  }

  @Test
  @Tag("long")
  void manyProblemsWithFeaturesGetValidPlansOrAClearRefusal() {
    judgeWithFeatures(SOME_PROBLEMS, MANY_PROBLEMS);
  }

  /** Whatever a planner does not honour it refuses, naming it. */
  private void judgeWithFeatures(long from, long to) {
    int planned = 0;
    for (long seed = from; seed < to; seed++) {
      MemoryProblem problem = RandomProblems.constrained(seed);
      for (MemoryPlanner planner : planners()) {
        try {
          MemoryPlan plan = planner.plan(problem);
          assertThat(PlanValidator.validate(problem, plan)).as("seed %d by %s", seed, plan.planner()).isEmpty();
          assertThat(plan.peakBytes()).as("seed %d", seed).isGreaterThanOrEqualTo(LowerBound.of(problem).bytes());
          assertThat(planner.plan(problem)).as("seed %d, second plan", seed).isEqualTo(plan);
          planned++;
        } catch (IllegalArgumentException refused) {
          assertThat(refused).hasMessageContaining("planner does not support").hasMessageContaining("features=[");
          assertThat(ProblemFeature.of(problem)).isNotEmpty();
        }
      }
    }
    assertThat(planned).isPositive();
  }

  @Test
  void nothingToPlan() {
    judge("empty", MemoryProblem.of());
    judge("no bytes", MemoryProblem.of(buffer("a", 0, 0, 1), buffer("b", 0, 0, 1).withAlignment(4096)));
  }

  @Test
  void oneBufferTakesItsReservedBytes() {
    for (long alignment = 1; alignment <= 4096; alignment *= 2) {
      MemoryProblem problem = MemoryProblem.of(buffer("a", 100, 3, 9).withAlignment(alignment));
      for (MemoryPlanner planner : planners()) {
        assertThat(planner.plan(problem).peakBytes()).isEqualTo(problem.buffer(0).reservedBytes());
      }
    }
  }

  @Test
  void equalBuffersAllLiveAtOnceTakeTheNaiveBytes() {
    MemoryProblem problem = new MemoryProblem(IntStream.range(0, 50).mapToObj(i -> buffer("b" + i, 64, 0, 5)).toList());
    for (MemoryPlanner planner : planners()) {
      MemoryPlan plan = PlanValidator.requireValid(problem, planner.plan(problem));
      assertThat(plan.peakBytes()).isEqualTo(problem.unsharedBytes());
    }
  }

  @Test
  void hugeBuffersDoNotOverflow() {
    judge("half each", MemoryProblem.of(buffer("a", Long.MAX_VALUE / 2, 0, 2), buffer("b", Long.MAX_VALUE / 2, 1, 3)));
    judge("aligned", MemoryProblem.of(buffer("a", 3, 0, 2), buffer("b", 1L << 61, 1, 3).withAlignment(1L << 61)));
    judge("late", MemoryProblem.of(buffer("a", 1, Integer.MAX_VALUE - 1, Integer.MAX_VALUE), buffer("b", 1, 0, 1)));
  }

  @Test
  void samePlanEveryTime() {
    for (long seed = 0; seed < 16; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      List<MemoryPlanner> again = planners();
      for (int i = 0; i < again.size(); i++) {
        MemoryPlan plan = planners().get(i).plan(problem);
        assertThat(again.get(i).plan(problem)).as("seed %d", seed).isEqualTo(plan);
        assertThat(again.get(i).plan(problem)).as("seed %d, second plan", seed).isEqualTo(plan);
      }
    }
  }

  @Test
  void aRecordedProblem() throws IOException {
    judgeRecorded(RecordedProblems.UNDER_2000_BUFFERS.getFirst());
  }

  @Test
  @Tag("long")
  void recordedProblems() throws IOException {
    for (String file : RecordedProblems.UNDER_2000_BUFFERS) {
      judgeRecorded(file);
    }
  }

  private void judgeRecorded(String file) throws IOException {
    judge(file, ProblemCsv.read(RecordedProblems.file(file)));
  }

  private void judge(String what, MemoryProblem problem) {
    long boundBytes = LowerBound.of(problem).bytes();
    for (MemoryPlanner planner : planners()) {
      MemoryPlan plan = planner.plan(problem);
      assertThat(PlanValidator.validate(problem, plan)).as("%s by %s", what, plan.planner()).isEmpty();
      assertThat(plan.peakBytes()).as("%s by %s", what, plan.planner()).isGreaterThanOrEqualTo(boundBytes);
    }
  }

  private static Buffer buffer(String name, long bytes, int first, int end) {
    return Buffer.of(name, bytes, new Lifetime(first, end));
  }
}
