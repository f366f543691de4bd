package dev.cairn.runtime.memory.order;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a problem at the nodes that come before or after every other one in all orders: what lies between two of them
 * can be put in order by itself.
 *
 * <pre>
 *   a → b → d → e → g      a, d and g are cuts: every node before leads to them, every node after comes from them
 *    ↘ c ↗ ↘ f ↗           segments: [b c] and [e f]
 * </pre>
 */
final class Segments {
  private Segments() {}

  /** A stretch of the given order, half-open. */
  record Range(int from, int to) {
    int length() {
      return to - from;
    }
  }

  /** The stretches between cuts, those of at least two nodes; O(nodes + edges). */
  static List<Range> of(OrderProblem problem) {
    boolean[] cut = cuts(problem);
    List<Range> ranges = new ArrayList<>();
    int from = 0;
    for (int node = 0; node <= cut.length; node++) {
      if (node == cut.length || cut[node]) {
        if (node - from > 1) {
          ranges.add(new Range(from, node));
        }
        from = node + 1;
      }
    }
    return ranges;
  }

  /**
   * All nodes before one lead to it when each of them has a successor no later than it; all nodes after it come from it
   * when each of them has a predecessor no earlier.
   */
  private static boolean[] cuts(OrderProblem problem) {
    int nodes = problem.nodes();
    boolean[] cut = new boolean[nodes];
    int latest = -1;
    for (int node = 0; node < nodes; node++) {
      cut[node] = latest <= node;
      int[] after = problem.after(node);
      latest = Math.max(latest, after.length == 0 ? nodes : after[0]);
    }
    int earliest = nodes;
    for (int node = nodes - 1; node >= 0; node--) {
      cut[node] &= earliest >= node;
      int[] before = problem.before(node);
      earliest = Math.min(earliest, before.length == 0 ? -1 : before[before.length - 1]);
    }
    return cut;
  }
}
