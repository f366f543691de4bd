package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.improve.ImprovingPlanner;
import java.util.List;

class ImprovingPlannerContractTest extends PlannerContract {
  @Override
  List<MemoryPlanner> planners() {
    return List.of(new ImprovingPlanner(0), new ImprovingPlanner(300));
  }
}
