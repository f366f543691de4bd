package dev.cairn.runtime.cached;

import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import dev.cairn.runtime.session.MemoryOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The memory of all planned calls of one runtime: on each device they together hold no more than the limit of the
 * runtime's {@link ArrayMemory}. Where that has a budget, plans on the first device join it, as the arrays do.
 */
final class CallPlanMemory {
  private final Map<String, MemoryBudget> budgets = new ConcurrentHashMap<>();

  private CallPlanMemory() {}

  /** How sessions that run plans on a device take memory. */
  static MemoryOptions of(ArrayRuntime arrays, String device) {
    ArrayMemory memory = FollowedCalls.options(arrays).memory();
    long limit = memory.limitBytes();
    if (memory.budget().isPresent() && device.equals(arrays.deviceNames().getFirst())) {
      return MemoryOptions.DEFAULT.withLimitBytes(limit).withBudget(memory.budget().get());
    }
    return limit == Long.MAX_VALUE
      ? MemoryOptions.DEFAULT
      : MemoryOptions.DEFAULT.withBudget(FollowedCalls.kept(arrays, CallPlanMemory.class, CallPlanMemory::new).budgets
        .computeIfAbsent(device, _ -> MemoryBudget.of(limit)));
  }
}
