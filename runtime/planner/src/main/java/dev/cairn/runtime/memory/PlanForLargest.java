package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan for the largest sizes that also serves smaller ones: every buffer has the same place and pool as the larger
 * buffer with its name. So one set of pools is enough for all sizes. Immutable.
 *
 * @param largest the problem with the largest sizes
 * @param plan a valid plan of it
 */
public record PlanForLargest(MemoryProblem largest, MemoryPlan plan) {
  /**
   * The plan for a smaller problem, checked by the validator.
   *
   * @throws IllegalArgumentException when a buffer has no counterpart with its name, when it is larger than its
   *   counterpart, or when different lifetimes make the plan invalid
   */
  public MemoryPlan serve(MemoryProblem smaller) {
    Map<String, Integer> indices = new HashMap<>();
    for (int i = 0; i < largest.size(); i++) {
      indices.put(largest.buffer(i).name(), i);
    }
    List<Placement> placements = new ArrayList<>(smaller.size());
    for (Buffer buffer : smaller.buffers()) {
      Integer index = indices.get(buffer.name());
      if (index == null) {
        throw new IllegalArgumentException("the plan of the largest sizes has no such buffer: buffer=" + buffer.name());
      }
      long reservedBytes = largest.buffer(index).reservedBytes();
      if (buffer.reservedBytes() > reservedBytes) {
        throw new IllegalArgumentException(
          "a buffer is larger than in the plan of the largest sizes: buffer=%s bytes=%d "
            .formatted(buffer.name(), buffer.reservedBytes()) + "planned=" + reservedBytes);
      }
      placements.add(plan.placements().get(index));
    }
    MemoryPlan served = new MemoryPlan(plan.planner(), plan.pools(), placements);
    List<Fault> faults = PlanValidator.validate(smaller, served);
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException("the plan for the largest sizes is invalid for these: faults=%d first=%s"
        .formatted(faults.size(), faults.getFirst()));
    }
    return served;
  }
}
