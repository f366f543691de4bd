package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.List;

/**
 * Tries several best-fit planners and keeps the smallest plan; equal ones go to the planner named first. Stops as soon
 * as a plan takes no more than the lower bound. The plan keeps the name of the planner that made it.
 *
 * @param planners tried in this order, at least one
 */
public record BestFitPortfolio(List<BestFitPlanner> planners) implements MemoryPlanner {
  /** Every order with every choice of gap, best fit by size first. */
  public static final BestFitPortfolio ALL = new BestFitPortfolio(List.of(BestFitPlanner.BY_SIZE,
    new BestFitPlanner(PlacementOrder.SIZE, GapChoice.LOWEST),
    new BestFitPlanner(PlacementOrder.AREA, GapChoice.SMALLEST),
    new BestFitPlanner(PlacementOrder.AREA, GapChoice.LOWEST),
    new BestFitPlanner(PlacementOrder.LIFETIME, GapChoice.SMALLEST),
    new BestFitPlanner(PlacementOrder.LIFETIME, GapChoice.LOWEST),
    new BestFitPlanner(PlacementOrder.START, GapChoice.SMALLEST),
    new BestFitPlanner(PlacementOrder.START, GapChoice.LOWEST)));

  public BestFitPortfolio {
    planners = List.copyOf(planners);
    if (planners.isEmpty()) {
      throw new IllegalArgumentException("portfolio without planners");
    }
  }

  @Override
  public MemoryPlan plan(MemoryProblem problem) {
    long boundBytes = LowerBound.of(problem).bytes();
    MemoryPlan best = planners.getFirst().plan(problem);
    for (BestFitPlanner planner : planners.subList(1, planners.size())) {
      if (best.peakBytes() <= boundBytes) {
        break;
      }
      MemoryPlan plan = planner.plan(problem);
      if (plan.peakBytes() < best.peakBytes()) {
        best = plan;
      }
    }
    return best;
  }
}
