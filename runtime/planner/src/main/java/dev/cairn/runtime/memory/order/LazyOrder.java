package dev.cairn.runtime.memory.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs each node only when another needs it: right before its first reader. Recomputation starts from such orders,
 * since what runs early in them is really needed early.
 */
public final class LazyOrder {
  private LazyOrder() {}

  /** The order; nodes that no other needs keep theirs. */
  public static List<Integer> of(OrderProblem problem) {
    List<Integer> order = new ArrayList<>(problem.nodes());
    boolean[] begun = new boolean[problem.nodes()];
    boolean[] placed = new boolean[problem.nodes()];
    int[] stack = new int[16];
    for (int last = 0; last < problem.nodes(); last++) {
      int depth = 0;
      if (problem.after(last).length == 0) {
        stack[depth++] = last;
      }
      while (depth > 0) {
        int node = stack[depth - 1];
        if (begun[node]) {
          depth--;
          if (!placed[node]) {
            placed[node] = true;
            order.add(node);
          }
          continue;
        }
        begun[node] = true;
        int[] before = problem.before(node);
        if (depth + before.length > stack.length) {
          stack = Arrays.copyOf(stack, 2 * (depth + before.length));
        }
        for (int i = before.length - 1; i >= 0; i--) {
          if (!begun[before[i]]) {
            stack[depth++] = before[i];
          }
        }
      }
    }
    return order;
  }
}
