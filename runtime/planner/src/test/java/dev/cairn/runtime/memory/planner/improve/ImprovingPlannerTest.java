package dev.cairn.runtime.memory.planner.improve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.RandomProblems;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ImprovingPlannerTest {
  @Test
  void neverWorseThanThePortfolio() {
    int better = 0;
    for (long seed = 0; seed < 120; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      long greedy = BestFitPortfolio.ALL.plan(problem).peakBytes();
      for (long moves : new long[] {0, 1, 50, 2_000}) {
        long peak = new ImprovingPlanner(moves).plan(problem).peakBytes();
        assertThat(peak).as("seed %d moves %d", seed, moves).isLessThanOrEqualTo(greedy);
        better += peak < greedy ? 1 : 0;
      }
    }
    assertThat(better).as("plans lower than the portfolio's").isPositive();
  }

  @Test
  void contiguousGroupsGetThePortfoliosPlan() {
    int grouped = 0;
    for (long seed = 0; seed < 60; seed++) {
      MemoryProblem problem = RandomProblems.constrained(seed);
      if (!problem.groups().isEmpty()) {
        assertThat(new ImprovingPlanner(500).plan(problem)).isEqualTo(BestFitPortfolio.ALL.plan(problem));
        grouped++;
      }
    }
    assertThat(grouped).isPositive();
  }

  @Test
  void improvesWithFixedOffsetsGapsDevicesAndConflicts() {
    int better = 0;
    for (long seed = 0; seed < 80; seed++) {
      MemoryProblem grouped = RandomProblems.constrained(seed);
      MemoryProblem problem = new MemoryProblem(grouped.buffers(), List.of(), grouped.conflicts());
      long greedy = BestFitPortfolio.ALL.plan(problem).peakBytes();
      MemoryPlan plan = PlanValidator.requireValid(problem, new ImprovingPlanner(1_000).plan(problem));
      assertThat(plan.peakBytes()).as("seed %d", seed).isLessThanOrEqualTo(greedy);
      better += plan.peakBytes() < greedy ? 1 : 0;
    }
    assertThat(better).as("plans lower than the portfolio's").isGreaterThan(4);
  }

  @Test
  void manyBuffersAreValidLowAndTheSameEveryTime() {
    requireSame(0, 1, 600, 1_000);
  }

  @Test
  @Tag("long")
  void thousandsOfBuffersAreValidLowAndTheSameEveryTime() {
    requireSame(1, 4, 2_000, 3_000);
  }

  private static void requireSame(long from, long to, int buffers, long moves) {
    for (long seed = from; seed < to; seed++) {
      MemoryProblem problem = ManyBuffers.problem(seed, buffers);
      ImprovingPlanner planner = new ImprovingPlanner(moves);
      MemoryPlan plan = PlanValidator.requireValid(problem, planner.plan(problem));
      assertThat(planner.plan(problem)).isEqualTo(plan);
      assertThat(plan.peakBytes()).isLessThanOrEqualTo(BestFitPortfolio.ALL.plan(problem).peakBytes());
    }
  }

  @Test
  void moreMovesAreNeverWorse() {
    for (long seed = 0; seed < 3; seed++) {
      MemoryProblem problem = ManyBuffers.problem(seed, 300);
      for (List<Long> fewAndMany : List.of(List.of(0L, 100L), List.of(0L, 5_000L))) {
        long few = new ImprovingPlanner(fewAndMany.getFirst()).plan(problem).peakBytes();
        assertThat(new ImprovingPlanner(fewAndMany.getLast()).plan(problem).peakBytes()).isLessThanOrEqualTo(few);
      }
    }
  }

  @Test
  void withoutTimeThereIsStillAValidPlan() {
    for (long seed = 0; seed < 40; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      PlanValidator.requireValid(problem, ImprovingPlanner.within(Duration.ZERO).plan(problem));
    }
  }

  @Test
  void timeLimitIsAllItTakesToStop() {
    MemoryProblem problem = ManyBuffers.problem(1, 400);
    PlanValidator.requireValid(problem, ImprovingPlanner.within(Duration.ofMillis(1)).plan(problem));
  }

  @Test
  void negativeLimitsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ImprovingPlanner(-1))
      .withMessageStartingWith("negative limit: moves=-1");
    assertThatIllegalArgumentException().isThrownBy(() -> ImprovingPlanner.within(Duration.ofNanos(-1)))
      .withMessageStartingWith("negative limit: ");
  }
}
