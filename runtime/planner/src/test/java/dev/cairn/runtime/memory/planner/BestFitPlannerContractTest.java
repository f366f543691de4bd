package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.MemoryPlanner;
import java.util.List;

class BestFitPlannerContractTest extends PlannerContract {
  @Override
  List<MemoryPlanner> planners() {
    return List.copyOf(BestFitPortfolio.ALL.planners());
  }
}
