package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.PlannerContract;
import java.util.ArrayList;
import java.util.List;

class AllocationTreePlannerContractTest extends PlannerContract {
  @Override
  protected List<MemoryPlanner> planners() {
    List<MemoryPlanner> planners = new ArrayList<>();
    for (PoolMode mode : PoolMode.values()) {
      planners.add(new AllocationTreePlanner(new PoolOptions(mode, 1)));
    }
    planners.add(new AllocationTreePlanner(PoolOptions.DEFAULT));
    return planners;
  }
}
