package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.PlannerContract;
import java.util.List;

class SearchPlannerContractTest extends PlannerContract {
  @Override
  protected List<MemoryPlanner> planners() {
    return List.of(SearchPlanner.DEFAULT, new SearchPlanner(0, 100));
  }
}
