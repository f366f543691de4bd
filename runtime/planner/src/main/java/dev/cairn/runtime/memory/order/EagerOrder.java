package dev.cairn.runtime.memory.order;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Runs nodes as soon as they can that take no memory: each value that they make, if any, lies in the place of one that
 * they read last. Updates of variables are such nodes. They only end lives, so that running them early never raises the
 * peak, workspaces apart.
 */
public final class EagerOrder {
  private final OrderProblem problem;
  private final boolean withWorkspace;
  private final int[] waitsFor;
  /** For each value, how many readers have not run yet. */
  private final int[] unread;
  private final boolean[] placed;
  private final List<Integer> order = new ArrayList<>();
  /** Nodes that read values, all of which are there. */
  private final NavigableSet<Integer> ready = new TreeSet<>();

  private EagerOrder(OrderProblem problem, boolean withWorkspace) {
    this.problem = problem;
    this.withWorkspace = withWorkspace;
    this.placed = new boolean[problem.nodes()];
    this.waitsFor = new int[problem.nodes()];
    for (int node = 0; node < waitsFor.length; node++) {
      waitsFor[node] = problem.before(node).length;
    }
    this.unread = new int[problem.values()];
    for (int v = 0; v < unread.length; v++) {
      unread[v] = problem.value(v).readers().length;
    }
  }

  /**
   * The same order with such nodes moved forward: all of them if the peak stays as low, else those without a workspace.
   */
  public static List<Integer> of(OrderProblem problem, List<Integer> order) {
    List<Integer> all = new EagerOrder(problem, true).applied(order);
    return peak(problem, all) <= peak(problem, order) ? all : new EagerOrder(problem, false).applied(order);
  }

  private static long peak(OrderProblem problem, List<Integer> order) {
    return OrderPeak.of(problem, order.stream().mapToInt(Integer::intValue).toArray());
  }

  private List<Integer> applied(List<Integer> given) {
    for (int node : given) {
      Optional<Integer> next = Optional.of(node);
      while (next.isPresent()) {
        place(next.get());
        next = ready.stream().filter(this::takesNoMemory).findFirst();
      }
    }
    return order;
  }

  private void place(int node) {
    if (placed[node]) {
      return;
    }
    placed[node] = true;
    ready.remove(node);
    order.add(node);
    for (int v : problem.read(node)) {
      unread[v]--;
    }
    for (int later : problem.after(node)) {
      waitsFor[later]--;
      if (waitsFor[later] == 0 && problem.read(later).length > 0) {
        ready.add(later);
      }
    }
  }

  private boolean takesNoMemory(int node) {
    if (problem.workspace(node) > 0 && !withWorkspace) {
      return false;
    }
    var taken = new TreeSet<Integer>();
    int[] pairs = problem.inPlace(node);
    for (int i = 0; i < pairs.length; i += 2) {
      if (unread[pairs[i]] == 1 && !taken.contains(pairs[i + 1]) && taken.add(pairs[i])) {
        taken.add(pairs[i + 1]);
      }
    }
    for (int v : problem.made(node)) {
      if (!taken.contains(v)) {
        return false;
      }
    }
    return true;
  }
}
