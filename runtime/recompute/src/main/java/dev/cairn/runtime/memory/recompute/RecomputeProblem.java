package dev.cairn.runtime.memory.recompute;

import dev.cairn.runtime.memory.order.OrderProblem;
import java.util.Arrays;
import java.util.List;

/**
 * A graph whose nodes may run more than once, to need less memory: an {@link OrderProblem}, and for each node what one
 * run costs and whether it may run again. Immutable; built by {@link #builder}.
 *
 * <p>Every node runs at least once. Values from outside, such as weights, take no memory and are not part of the
 * problem. An edge added by {@link OrderProblem.Builder#before} binds every run: all runs of its first node come before
 * all runs of its second, so that no recomputation reads a variable after its assignment.
 */
public final class RecomputeProblem {
  private final OrderProblem order;
  private final long[] cost;
  private final boolean[] once;
  private final List<String> names;
  private final long costOnce;

  private RecomputeProblem(Builder builder) {
    order = builder.order;
    cost = builder.cost.clone();
    once = builder.once.clone();
    names = List.of(builder.names);
    costOnce = Arrays.stream(cost).sum();
  }

  /** A problem in which each node costs 1 and may run again, until the builder changes that. */
  public static Builder builder(OrderProblem order) {
    return new Builder(order);
  }

  /** The nodes, the values that they make and read, and their bytes. */
  public OrderProblem order() {
    return order;
  }

  public int nodes() {
    return cost.length;
  }

  /** The cost of one run of a node. */
  public long cost(int node) {
    return cost[node];
  }

  /** The cost of running each node once: the least cost of any word. */
  public long costOnce() {
    return costOnce;
  }

  /** Whether a node may not run again. */
  public boolean runsOnce(int node) {
    return once[node];
  }

  /** A node's name, for messages. */
  public String name(int node) {
    return names.get(node);
  }

  /** Each node once, in the given order. */
  public Word givenOrder() {
    int[] steps = new int[nodes()];
    Arrays.setAll(steps, i -> i);
    return Word.of(steps);
  }

  /**
   * The floor: the node that needs the most bytes by itself, with its operands, results and workspace. No word needs
   * less.
   */
  public Floor floor() {
    var floor = new Floor(0, 0);
    for (int node = 0; node < nodes(); node++) {
      long alone = order.workspace(node);
      for (int value : order.made(node)) {
        alone += order.bytes(value);
      }
      for (int value : order.read(node)) {
        alone += order.bytes(value);
      }
      int[] pairs = order.inPlace(node);
      boolean[] taken = new boolean[order.values()];
      for (int i = 0; i < pairs.length; i += 2) {
        alone -= taken[pairs[i + 1]] ? 0 : order.bytes(pairs[i + 1]);
        taken[pairs[i + 1]] = true;
      }
      floor = alone > floor.bytes ? new Floor(alone, node) : floor;
    }
    return floor;
  }

  /**
   * The memory that one node needs by itself.
   *
   * @param bytes its operands, its results and its workspace
   * @param node the node
   */
  public record Floor(long bytes, int node) {}

  /** Sets what the nodes cost. Not thread-safe. */
  public static final class Builder {
    private final OrderProblem order;
    private final long[] cost;
    private final boolean[] once;
    private final String[] names;
    private long total;

    private Builder(OrderProblem order) {
      this.order = order;
      cost = new long[order.nodes()];
      once = new boolean[order.nodes()];
      names = new String[order.nodes()];
      Arrays.fill(cost, 1);
      Arrays.setAll(names, i -> "node " + i);
      total = cost.length;
    }

    /**
     * The cost of one run of a node, in any unit.
     *
     * @param units 0 or more; all costs together at most {@code 2^60}
     */
    public Builder cost(int node, long units) {
      requireNode(node);
      if (units < 0 || units > (1L << 60) - (total - cost[node])) {
        throw new IllegalArgumentException("a cost is negative or too large: node=%s cost=%d others=%d".formatted(
          names[node], units, total - cost[node]));
      }
      total += units - cost[node];
      cost[node] = units;
      return this;
    }

    /** A node that may not run again: it has an effect, or state. */
    public Builder once(int node) {
      requireNode(node);
      once[node] = true;
      return this;
    }

    /** A name for messages. */
    public Builder name(int node, String name) {
      requireNode(node);
      names[node] = name;
      return this;
    }

    public RecomputeProblem build() {
      return new RecomputeProblem(this);
    }

    private void requireNode(int node) {
      if (node < 0 || node >= cost.length) {
        throw new IllegalArgumentException("no such node: node=%d nodes=%d".formatted(node, cost.length));
      }
    }
  }
}
