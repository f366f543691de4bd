package dev.cairn.runtime.memory.planner.improve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.RandomProblems;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import org.junit.jupiter.api.Test;

class BestFitThenImproveTest {
  @Test
  void thePlanOfBestFitWhereItIsNearTheBoundAndElseTheSmallerOne() {
    int kept = 0;
    int improved = 0;
    for (long seed = 0; seed < 200; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      MemoryPlan fitted = BestFitPortfolio.ALL.plan(problem);
      MemoryPlan plan = PlanValidator.requireValid(problem, BestFitThenImprove.DEFAULT.plan(problem));
      assertThat(BestFitThenImprove.DEFAULT.plan(problem)).isEqualTo(plan);
      if (fitted.peakBytes() <= 1.01 * LowerBound.of(problem).bytes()) {
        assertThat(plan).as("seed %d", seed).isEqualTo(fitted);
        kept++;
      } else {
        long peak = Math.min(fitted.peakBytes(), ImprovingPlanner.DEFAULT.plan(problem).peakBytes());
        assertThat(plan.peakBytes()).as("seed %d", seed).isEqualTo(peak);
        improved += peak < fitted.peakBytes() ? 1 : 0;
      }
    }
    assertThat(kept).as("plans of best fit").isPositive();
    assertThat(improved).as("smaller plans").isPositive();
  }
}
