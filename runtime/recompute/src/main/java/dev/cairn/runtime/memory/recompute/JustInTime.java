package dev.cairn.runtime.memory.recompute;

import dev.cairn.runtime.memory.order.OrderProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The word that lets go of all values at one position of an order, but for those saved, and afterwards runs a node
 * again right before its value is read.
 */
public final class JustInTime {
  private final RecomputeProblem problem;
  private final OrderProblem order;
  private final BitSet resident = new BitSet();
  /** For each node, the nodes that may not run after it. */
  private final List<List<Integer>> mustPrecede = new ArrayList<>();
  /** Nodes that may not run any more. */
  private final BitSet ended = new BitSet();
  /** For each value, how many readers have not run at all. */
  private final int[] unread;
  private final BitSet ran = new BitSet();
  private int[] steps;
  private int length;

  private JustInTime(RecomputeProblem problem) {
    this.problem = problem;
    this.order = problem.order();
    steps = new int[2 * problem.nodes()];
    for (int node = 0; node < problem.nodes(); node++) {
      mustPrecede.add(new ArrayList<>());
    }
    for (int node = 0; node < problem.nodes(); node++) {
      for (int later : order.edges(node)) {
        mustPrecede.get(later).add(node);
      }
    }
    unread = new int[order.values()];
    for (int value = 0; value < unread.length; value++) {
      unread[value] = order.readers(value).length;
    }
  }

  /**
   * The word, from an order; empty when a node would run again that runs once, or after one that it must precede.
   *
   * @param nodes the nodes, each once
   * @param position the position before which values are dropped
   * @param dropped the values that are dropped
   */
  public static Optional<Word> word(RecomputeProblem problem, int[] nodes, int position, BitSet dropped) {
    var it = new JustInTime(problem);
    for (int i = 0; i < nodes.length; i++) {
      if (i == position) {
        it.resident.andNot(dropped);
      }
      for (int earlier : it.mustPrecede.get(nodes[i])) {
        if (it.isStillRead(earlier) && !it.run(earlier)) {
          return Optional.empty();
        }
      }
      if (!it.run(nodes[i])) {
        return Optional.empty();
      }
    }
    return Optional.of(Word.of(Arrays.copyOf(it.steps, it.length)));
  }

  /** Whether values of a node are gone that later nodes read. */
  private boolean isStillRead(int node) {
    for (int value : order.made(node)) {
      if (!resident.get(value) && unread[value] > 0) {
        return true;
      }
    }
    return false;
  }

  /** Runs a node, before it those of its operands that aren't there, and so on; false when one may not run again. */
  private boolean run(int node) {
    int[] stack = new int[16];
    int depth = 0;
    stack[depth++] = node;
    while (depth > 0) {
      int top = stack[depth - 1];
      int missing = missing(top);
      if (missing >= 0) {
        stack = depth == stack.length ? Arrays.copyOf(stack, 2 * depth) : stack;
        stack[depth++] = missing;
      } else {
        depth--;
        if (ended.get(top) || (ran.get(top) && problem.runsOnce(top))) {
          return false;
        }
        add(top);
      }
    }
    return true;
  }

  private int missing(int node) {
    for (int value : order.read(node)) {
      if (!resident.get(value)) {
        return order.producer(value);
      }
    }
    return -1;
  }

  private void add(int node) {
    steps = length == steps.length ? Arrays.copyOf(steps, 2 * length) : steps;
    steps[length++] = node;
    for (int value : order.made(node)) {
      resident.set(value);
    }
    mustPrecede.get(node).forEach(ended::set);
    if (!ran.get(node)) {
      ran.set(node);
      for (int value : order.read(node)) {
        unread[value]--;
      }
    }
  }
}
