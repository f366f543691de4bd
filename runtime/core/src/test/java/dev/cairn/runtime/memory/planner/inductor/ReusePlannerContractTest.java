package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.PlannerContract;
import java.util.List;

class ReusePlannerContractTest extends PlannerContract {
  @Override
  protected List<MemoryPlanner> planners() {
    return List.of(ReusePlanner.PLAIN, ReusePlanner.PEAK_TESTED);
  }
}
