package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.MemoryPlan;

/**
 * The result of a search. Text form: one line.
 *
 * @param plan the best found
 * @param provenBytes no plan takes less
 * @param steps what the search spent
 */
public record SearchResult(MemoryPlan plan, long provenBytes, long steps) {
  /** Whether the plan is known to be the smallest. */
  public boolean isOptimal() {
    return plan.peakBytes() == provenBytes;
  }

  /** Whether it is known that no plan fits so many bytes. */
  public boolean isImpossible(long capacityBytes) {
    return provenBytes > capacityBytes;
  }

  public boolean fits(long capacityBytes) {
    return plan.peakBytes() <= capacityBytes;
  }

  @Override
  public String toString() {
    return "peak=%d proven=%d steps=%d%s".formatted(plan.peakBytes(), provenBytes, steps,
      isOptimal() ? " optimal" : "");
  }
}
