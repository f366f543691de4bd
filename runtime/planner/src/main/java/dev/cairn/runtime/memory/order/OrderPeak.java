package dev.cairn.runtime.memory.order;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** The memory that orders need: the judge of every answer, which shares no code with the search. */
public final class OrderPeak {
  private OrderPeak() {}

  /**
   * The bytes held while each node of the order runs, by position.
   *
   * @throws IllegalArgumentException when it is no order of the problem's nodes, or a node comes before one that it
   *   needs
   */
  public static long[] bytesByPosition(OrderProblem problem, int[] order) {
    requireOrder(problem, order);
    int[] unread = new int[problem.values()];
    for (int v = 0; v < unread.length; v++) {
      unread[v] = problem.value(v).readers().length;
    }
    long[] held = new long[order.length];
    long live = 0;
    for (int position = 0; position < order.length; position++) {
      int node = order[position];
      for (int v : problem.made(node)) {
        live += problem.value(v).bytes();
      }
      for (int v : problem.read(node)) {
        unread[v]--;
      }
      held[position] = live + problem.workspace(node) - savedInPlace(problem, node, unread);
      live -= bytesThatDie(problem, node, unread);
    }
    return held;
  }

  /** The most bytes held at one time; 0 without nodes. */
  public static long of(OrderProblem problem, int[] order) {
    return Arrays.stream(bytesByPosition(problem, order)).max().orElse(0);
  }

  /** A lower bound for every order: the most bytes that one node alone needs. */
  public static long boundOf(OrderProblem problem) {
    long bound = 0;
    for (int node = 0; node < problem.nodes(); node++) {
      long alone = problem.workspace(node);
      for (int v : problem.made(node)) {
        alone += problem.value(v).bytes();
      }
      for (int v : problem.read(node)) {
        alone += problem.value(v).bytes();
      }
      int[] pairs = problem.inPlace(node);
      Set<Integer> taken = new HashSet<>();
      for (int i = 0; i < pairs.length; i += 2) {
        alone -= taken.add(pairs[i + 1]) ? problem.value(pairs[i]).bytes() : 0;
      }
      bound = Math.max(bound, alone);
    }
    long kept = 0;
    for (int v = 0; v < problem.values(); v++) {
      kept += problem.value(v).kept() ? problem.value(v).bytes() : 0;
    }
    return Math.max(bound, kept);
  }

  private static long savedInPlace(OrderProblem problem, int node, int[] unread) {
    long saved = 0;
    int[] pairs = problem.inPlace(node);
    Set<Integer> taken = new HashSet<>();
    for (int i = 0; i < pairs.length; i += 2) {
      if (unread[pairs[i]] == 0 && !taken.contains(pairs[i]) && !taken.contains(pairs[i + 1])) {
        taken.add(pairs[i]);
        taken.add(pairs[i + 1]);
        saved += problem.value(pairs[i]).bytes();
      }
    }
    return saved;
  }

  private static long bytesThatDie(OrderProblem problem, int node, int[] unread) {
    long bytes = 0;
    for (int v : problem.read(node)) {
      bytes += unread[v] == 0 && !problem.value(v).kept() ? problem.value(v).bytes() : 0;
    }
    for (int v : problem.made(node)) {
      bytes += problem.value(v).outlivesItsNode() ? 0 : problem.value(v).bytes();
    }
    return bytes;
  }

  private static void requireOrder(OrderProblem problem, int[] order) {
    int[] position = new int[problem.nodes()];
    Arrays.fill(position, -1);
    for (int i = 0; i < order.length; i++) {
      if (order.length != position.length || order[i] < 0 || order[i] >= position.length || position[order[i]] >= 0) {
        throw new IllegalArgumentException("not an order of the nodes: nodes=%d length=%d position=%d".formatted(
          position.length, order.length, i));
      }
      position[order[i]] = i;
      for (int earlier : problem.before(order[i])) {
        if (position[earlier] < 0) {
          throw new IllegalArgumentException("a node comes before one that it needs: node=%d needs=%d position=%d"
            .formatted(order[i], earlier, i));
        }
      }
    }
    if (order.length != position.length) {
      throw new IllegalArgumentException("not an order of the nodes: nodes=%d length=%d".formatted(position.length,
        order.length));
    }
  }
}
