package dev.cairn.runtime.memory.planner.nnvm;

import java.util.Optional;

/**
 * The pass: reference counts, then one walk for each match range to try, the smallest total kept; of equal totals, the
 * smallest range. More range is not always better, so the search looks at all of them. A pure function.
 */
public final class PlanMemory {
  private PlanMemory() {}

  /** The plan; empty when the options leave no match range to try, as upstream then leaves the graph as it was. */
  public static Optional<StoragePlan> tryPlan(NnvmGraph graph, NnvmOptions options) {
    int[] wanted = ReferenceCounts.of(graph);
    int[] colours = options.colours() > 1 ? NodeColours.of(graph, options.colours()) : new int[0];
    StoragePlan best = null;
    for (long range : options.matchRanges()) {
      StoragePlan plan = new AllocationWalk(graph, options, wanted, colours, range).run();
      if (best == null || plan.allocatedBytes() < best.allocatedBytes()) {
        best = plan;
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * The plan.
   *
   * @throws IllegalArgumentException when the options leave no match range to try
   */
  public static StoragePlan plan(NnvmGraph graph, NnvmOptions options) {
    return tryPlan(graph, options)
      .orElseThrow(() -> new IllegalArgumentException("no match range to try: options=" + options));
  }
}
