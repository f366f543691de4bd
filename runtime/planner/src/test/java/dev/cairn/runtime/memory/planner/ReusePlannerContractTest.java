package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.inductor.ReusePlanner;
import java.util.List;

class ReusePlannerContractTest extends PlannerContract {
  @Override
  List<MemoryPlanner> planners() {
    return List.of(ReusePlanner.PLAIN, ReusePlanner.PEAK_TESTED);
  }
}
