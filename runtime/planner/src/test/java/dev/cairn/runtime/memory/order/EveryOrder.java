package dev.cairn.runtime.memory.order;

import java.util.ArrayList;
import java.util.List;

/** The oracle: all topological orders, each weighed by asking of every value at every step whether it is held. */
final class EveryOrder {
  private final OrderProblem problem;
  private final List<Integer> prefix = new ArrayList<>();
  private long lowest = Long.MAX_VALUE;

  private EveryOrder(OrderProblem problem) {
    this.problem = problem;
  }

  /** The lowest peak of any order; for ten nodes at most. */
  static long lowestPeak(OrderProblem problem) {
    var all = new EveryOrder(problem);
    all.extend();
    return all.lowest;
  }

  private void extend() {
    if (prefix.size() == problem.nodes()) {
      lowest = Math.min(lowest, peak(problem, prefix));
    }
    for (int node = 0; node < problem.nodes(); node++) {
      if (!prefix.contains(node) && allRun(problem.before(node))) {
        prefix.add(node);
        extend();
        prefix.removeLast();
      }
    }
  }

  private boolean allRun(int[] nodes) {
    for (int node : nodes) {
      if (!prefix.contains(node)) {
        return false;
      }
    }
    return true;
  }

  static long peak(OrderProblem problem, List<Integer> order) {
    long peak = 0;
    for (int step = 0; step < order.size(); step++) {
      long held = problem.workspace(order.get(step));
      for (int v = 0; v < problem.values(); v++) {
        held += isHeld(problem, order, v, step) ? problem.value(v).bytes() : 0;
      }
      int[] pairs = problem.inPlace(order.get(step));
      List<Integer> taken = new ArrayList<>();
      for (int i = 0; i < pairs.length; i += 2) {
        boolean dies = lastStep(problem, order, pairs[i]) == step;
        if (dies && !taken.contains(pairs[i]) && !taken.contains(pairs[i + 1])) {
          taken.addAll(List.of(pairs[i], pairs[i + 1]));
          held -= problem.value(pairs[i]).bytes();
        }
      }
      peak = Math.max(peak, held);
    }
    return peak;
  }

  private static boolean isHeld(OrderProblem problem, List<Integer> order, int v, int step) {
    return order.indexOf(problem.value(v).producer()) <= step && step <= lastStep(problem, order, v);
  }

  private static int lastStep(OrderProblem problem, List<Integer> order, int v) {
    if (problem.value(v).kept()) {
      return Integer.MAX_VALUE;
    }
    int last = order.indexOf(problem.value(v).producer());
    for (int reader : problem.value(v).readers()) {
      last = Math.max(last, order.indexOf(reader));
    }
    return last;
  }
}
