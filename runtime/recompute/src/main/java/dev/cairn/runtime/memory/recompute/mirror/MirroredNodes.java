package dev.cairn.runtime.memory.recompute.mirror;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.JustInTime;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The nodes that MXNet mirrors from release 1.7 on: of the nodes that may be mirrored, the ones whose results take more
 * bytes than holding them would free.
 *
 * <p>A node is at the <em>frontier</em> when all its operands are held: none is of a node that may still be mirrored.
 * Frontier nodes that share operands, directly or through others, are decided together. Holding their results releases
 * the operands that only they read. When that is at least what the results take, and the operands that others read,
 * they are held, and the frontier moves on. The nodes that are left at the end are mirrored. MXNet does this for each
 * set of connected nodes by itself; nodes that share operands are always in one set, so one pass over all decides the
 * same.
 */
public final class MirroredNodes {
  private final OrderProblem order;
  private final BitSet undecided;
  private final BitSet frontier = new BitSet();

  private MirroredNodes(OrderProblem order, BitSet mirrorable) {
    this.order = order;
    undecided = (BitSet) mirrorable.clone();
  }

  /**
   * The words of MXNet's mirroring: with what it mirrors from release 1.7 on, and with all that it may, as its first
   * releases do. Words in which a node would run too late are left out.
   *
   * @param border how many nodes are forward: the first ones of the given order
   * @param mirrorable forward nodes that may be mirrored: cheap, without an effect, not random
   */
  public static List<Word> words(RecomputeProblem problem, int border, BitSet mirrorable) {
    return Stream.of(of(problem, mirrorable), mirrorable).map(mirrored -> word(problem, border, mirrored)).flatMap(
      Optional::stream).toList();
  }

  /**
   * The nodes that are mirrored.
   *
   * @param mirrorable forward nodes that may be mirrored: cheap, without an effect, not random
   */
  public static BitSet of(RecomputeProblem problem, BitSet mirrorable) {
    var nodes = new MirroredNodes(problem.order(), mirrorable);
    while (nodes.holdSome()) {
      // the frontier moves on
    }
    return nodes.undecided;
  }

  /**
   * The word in which gradients run these nodes again; empty if a node would run too late.
   *
   * @param border how many nodes are forward: the first ones of the given order
   */
  public static Optional<Word> word(RecomputeProblem problem, int border, BitSet mirrored) {
    var dropped = new BitSet();
    for (int value = 0; value < problem.order().values(); value++) {
      dropped.set(value, mirrored.get(problem.order().producer(value)));
    }
    return JustInTime.word(problem, problem.givenOrder().steps(), border, dropped);
  }

  /** Decides that the results of one group are held; false when that is right for none. */
  private boolean holdSome() {
    findFrontier();
    var seen = new BitSet();
    for (int node = frontier.nextSetBit(0); node >= 0; node = frontier.nextSetBit(node + 1)) {
      if (!seen.get(node)) {
        BitSet group = group(node);
        seen.or(group);
        if (released(group) >= allocated(group)) {
          undecided.andNot(group);
          return true;
        }
      }
    }
    return false;
  }

  private void findFrontier() {
    frontier.clear();
    for (int node = undecided.nextSetBit(0); node >= 0; node = undecided.nextSetBit(node + 1)) {
      frontier.set(node, Arrays.stream(order.read(node)).map(order::producer).noneMatch(undecided::get));
    }
  }

  private BitSet group(int node) {
    var group = new BitSet();
    var waiting = new BitSet();
    waiting.set(node);
    for (int next = node; next >= 0; next = waiting.nextSetBit(0)) {
      waiting.clear(next);
      group.set(next);
      for (int value : order.read(next)) {
        Arrays.stream(order.readers(value)).filter(it -> frontier.get(it) && !group.get(it)).forEach(waiting::set);
      }
    }
    return group;
  }

  private long released(BitSet group) {
    return operands(group).filter(value -> !isReadElsewhere(value)).mapToLong(order::bytes).sum();
  }

  private long allocated(BitSet group) {
    long results = group.stream().flatMap(node -> Arrays.stream(order.made(node))).filter(value -> order.isKept(value)
      || order.readers(value).length > 0).mapToLong(order::bytes).sum();
    return results + operands(group).filter(this::isReadElsewhere).mapToLong(order::bytes).sum();
  }

  private IntStream operands(BitSet group) {
    return group.stream().flatMap(node -> Arrays.stream(order.read(node))).distinct();
  }

  private boolean isReadElsewhere(int value) {
    return order.isKept(value) || !Arrays.stream(order.readers(value)).allMatch(frontier::get);
  }
}
