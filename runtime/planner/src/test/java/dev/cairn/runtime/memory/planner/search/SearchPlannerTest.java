package dev.cairn.runtime.memory.planner.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.RandomProblems;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SearchPlannerTest {
  @Test
  void isNeverWorseThanTheGreedyPortfolio() {
    SearchPlanner planner = new SearchPlanner(50_000, OptionalLong.empty());
    for (long seed = 0; seed < 80; seed++) {
      for (MemoryProblem problem : List.of(RandomProblems.seeded(seed), RandomProblems.constrained(seed))) {
        assertThat(planner.plan(problem).peakBytes()).as("seed %d", seed)
          .isLessThanOrEqualTo(BestFitPortfolio.ALL.plan(problem).peakBytes());
      }
    }
  }

  @Test
  void smallProblemsGetTheirOptimum() {
    for (long seed = 0; seed < 150; seed++) {
      MemoryProblem problem = SmallProblems.constrained(seed);
      assertThat(SearchPlanner.DEFAULT.plan(problem).peakBytes()).as("seed %d", seed)
        .isEqualTo(BruteForce.height(problem));
    }
  }

  @Test
  void tellsWhetherACapacityCanBeMet() {
    MemoryProblem tricky = ExactSearchTest.tricky();
    assertThat(SearchPlanner.DEFAULT.search(tricky, 4).isImpossible(4)).isTrue();
    assertThat(SearchPlanner.DEFAULT.search(tricky, 5).fits(5)).isTrue();
    assertThat(SearchPlanner.DEFAULT.search(tricky, Long.MAX_VALUE).isOptimal()).isTrue();
  }

  @Test
  void aTimeLimitEndsWithAValidPlan() {
    for (long nanos : new long[] {0, 1, 1_000_000}) {
      MemoryProblem problem = RandomProblems.seeded(7);
      PlanValidator.requireValid(problem, SearchPlanner.within(Duration.ofNanos(nanos)).plan(problem));
    }
  }

  @Test
  void limitsAreNotNegative() {
    assertThatThrownBy(() -> new SearchPlanner(-1, OptionalLong.empty())).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("steps=-1");
    assertThatThrownBy(() -> SearchBudget.ofNanos(-1)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("nanos=-1");
  }
}
