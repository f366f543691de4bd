package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.inductor.AllocationTreePlanner;
import dev.cairn.runtime.memory.planner.inductor.PoolMode;
import dev.cairn.runtime.memory.planner.inductor.PoolOptions;
import java.util.ArrayList;
import java.util.List;

class AllocationTreePlannerContractTest extends PlannerContract {
  @Override
  List<MemoryPlanner> planners() {
    List<MemoryPlanner> planners = new ArrayList<>();
    for (PoolMode mode : PoolMode.values()) {
      planners.add(new AllocationTreePlanner(new PoolOptions(mode, 1)));
    }
    planners.add(new AllocationTreePlanner(PoolOptions.DEFAULT));
    return planners;
  }
}
