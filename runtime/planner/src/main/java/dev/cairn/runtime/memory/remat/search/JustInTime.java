package dev.cairn.runtime.memory.remat.search;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.remat.RematProblem;
import dev.cairn.runtime.memory.remat.Word;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The word that lets go of all values at one position of an order, but for those saved, and afterwards runs a node
 * again right before its value is read.
 */
final class JustInTime {
  private final OrderProblem order;
  private final BitSet resident = new BitSet();
  private int[] steps;
  private int length;

  private JustInTime(RematProblem problem) {
    this.order = problem.order();
    steps = new int[2 * problem.nodes()];
  }

  /**
   * The word, from an order.
   *
   * @param nodes the nodes, each once
   * @param position where values are let go of: before this position
   * @param dropped the values that are let go of
   */
  static Word word(RematProblem problem, int[] nodes, int position, BitSet dropped) {
    var it = new JustInTime(problem);
    for (int i = 0; i < nodes.length; i++) {
      if (i == position) {
        it.resident.andNot(dropped);
      }
      it.run(nodes[i]);
    }
    return Word.of(Arrays.copyOf(it.steps, it.length));
  }

  /** Runs a node, before it those of its operands that aren't there, and so on; without recursion. */
  private void run(int node) {
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
        add(top);
      }
    }
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
  }
}
