package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;

/**
 * The plan of {@link BestFitPortfolio#ALL}. Where that takes over 1 % more than the lower bound, as with long chains of
 * concatenations, the plan of {@link ImprovingPlanner#DEFAULT} if it is smaller. The same problem gets the same plan.
 */
public enum BestFitThenImprove implements MemoryPlanner {
  DEFAULT;

  private static final long PERCENT = 100;

  @Override
  public MemoryPlan plan(MemoryProblem problem) {
    MemoryPlan fitted = BestFitPortfolio.ALL.plan(problem);
    long bound = LowerBound.of(problem).bytes();
    if (fitted.peakBytes() - bound <= bound / PERCENT) {
      return fitted;
    }
    MemoryPlan improved = ImprovingPlanner.DEFAULT.plan(problem);
    return improved.peakBytes() < fitted.peakBytes() ? improved : fitted;
  }
}
