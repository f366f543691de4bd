package dev.cairn.runtime.memory.recompute;

import dev.cairn.runtime.memory.order.OrderProblem;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The forward half of a training problem as a chain of stages. A stage ends at an articulation point: a node without
 * which the first nodes and the loss fall apart.
 */
public final class ForwardChain {
  private final RecomputeProblem problem;
  private final int border;
  private final int[] points;

  private ForwardChain(RecomputeProblem problem, int border, int[] points) {
    this.problem = problem;
    this.border = border;
    this.points = points;
  }

  /** @param border how many nodes are forward: the first ones of the given order */
  public static ForwardChain of(RecomputeProblem problem, int border) {
    BitSet leading = leadingTo(problem.order(), border - 1);
    var points = IntStream.builder();
    int farthest = -1;
    for (int node = leading.nextSetBit(0); node >= 0; node = leading.nextSetBit(node + 1)) {
      if (farthest <= node) {
        points.add(node);
      }
      for (int reader : problem.order().after(node)) {
        farthest = leading.get(reader) ? Math.max(farthest, reader) : farthest;
      }
    }
    return new ForwardChain(problem, border, points.build().toArray());
  }

  /** The forward nodes on which the last one depends, and itself. */
  private static BitSet leadingTo(OrderProblem order, int last) {
    var leading = new BitSet();
    for (int node = last; node >= 0; node--) {
      boolean leads = node == last;
      for (int reader : order.after(node)) {
        leads |= leading.get(reader);
      }
      leading.set(node, leads);
    }
    return leading;
  }

  /** The whole problem. */
  public RecomputeProblem problem() {
    return problem;
  }

  /** How many nodes are forward: the first ones of the given order. */
  public int border() {
    return border;
  }

  /** The articulation points, ascending. */
  public int[] points() {
    return points;
  }

  /** Whether each forward node is a stage. */
  public boolean isPlain() {
    return points.length == border;
  }

  /** The first node of a stage; the border where there is no such stage. */
  public int start(int stage) {
    return stage == 0 ? 0 : stage <= points.length ? points[stage - 1] + 1 : border;
  }

  /** For each forward node: its stage. */
  public int[] stages() {
    int[] stages = new int[border];
    int stage = 0;
    for (int node = 0; node < border; node++) {
      stages[node] = stage;
      stage += stage < points.length && points[stage] == node ? 1 : 0;
    }
    return stages;
  }
}
