package dev.cairn.runtime.memory.recompute.revolve;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The closed form for Checkmate's linear graphs: a chain of equal nodes, a loss, and gradients that read one node and
 * the gradient after it. Each node costs the same, and each value takes as many bytes. No word within m values costs
 * less than Revolve's, after Griewank and Walther 2000.
 */
public final class LinearTraining {
  /** A gradient, what it reads, and a state to begin again from. */
  private static final long FEWEST_VALUES = 3;

  private LinearTraining() {}

  /**
   * The least cost of any word within a budget.
   *
   * @return empty where the problem is no such graph, or the budget holds fewer than three values
   */
  public static OptionalLong leastCost(RecomputeProblem problem, long budget) {
    int nodes = problem.nodes();
    if (nodes < 3 || nodes % 2 == 0 || !isLinear(problem)) {
      return OptionalLong.empty();
    }
    long values = budget / problem.order().bytes(0);
    long length = nodes / 2 + 1L;
    if (values < FEWEST_VALUES) {
      return OptionalLong.empty();
    }
    long units = values > length ? nodes : length + RevolveWord.leastSteps(length, values - 2);
    return OptionalLong.of(units * problem.cost(0));
  }

  private static boolean isLinear(RecomputeProblem problem) {
    OrderProblem order = problem.order();
    int loss = problem.nodes() / 2;
    for (int node = 0; node < problem.nodes(); node++) {
      int[] made = order.made(node);
      int[] read = order.read(node).clone();
      if (problem.cost(node) != problem.cost(0) || made.length != 1 || order.bytes(made[0]) != order.bytes(0) || order
        .bytes(0) == 0 || order.isKept(made[0]) || order.workspace(node) != 0 || order.inPlace(node).length > 0 || order
          .edges(node).length > 0) {
        return false;
      }
      for (int i = 0; i < read.length; i++) {
        read[i] = order.producer(read[i]);
      }
      Arrays.sort(read);
      int[] wanted = node == 0
        ? new int[0]
        : node <= loss ? new int[] {node - 1} : new int[] {2 * loss - node, node - 1};
      if (!Arrays.equals(read, wanted)) {
        return false;
      }
    }
    return true;
  }
}
