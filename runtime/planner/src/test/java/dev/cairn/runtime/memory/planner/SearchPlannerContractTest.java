package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.search.SearchPlanner;
import java.util.List;
import java.util.OptionalLong;

class SearchPlannerContractTest extends PlannerContract {
  @Override
  List<MemoryPlanner> planners() {
    return List.of(new SearchPlanner(300_000, OptionalLong.empty()), new SearchPlanner(0, OptionalLong.empty()));
  }
}
