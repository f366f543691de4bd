package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.improve.BestFitThenImprove;
import java.util.List;

class BestFitPortfolioContractTest extends PlannerContract {
  @Override
  List<MemoryPlanner> planners() {
    return List.of(BestFitPortfolio.ALL, BestFitThenImprove.DEFAULT);
  }
}
