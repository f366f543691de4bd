package dev.cairn.runtime.memory.recompute.cut;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The values that must be saved or computed again at the moment when one node first runs.
 *
 * <p>Let A be the nodes that precede it in every order and D the nodes that follow it. Each value of A that a node of D
 * reads, or that is kept, is resident at that moment or its node runs again later, and then so for its operands. The
 * saved values, with the node's own operands and results, keep to the budget. The least cost of the recomputations
 * bounds every word. With a price on bytes in place of the budget it is a minimum cut.
 */
public final class OneCut {
  private static final int MOST_CUTS = 40;
  /** Costs are multiplied up to about this, so that prices of bytes can be fine. */
  private static final long LARGEST_SUM = 1L << 48;

  private final RecomputeProblem problem;
  private final OrderProblem order;
  private final int node;
  private final BitSet before;
  private final BitSet needed = new BitSet();
  private final BitSet operands = new BitSet();
  private final long fixedBytes;
  private final long scale;
  private final MinimumCut network;
  /**
   * For each value: the edge that is cut when it is saved; by node: the edge that is cut when it runs again. -1: none.
   */
  private final int[] saveEdge;
  private final int[] recomputeEdge;
  private final int[] valueVertex;
  private final int[] nodeVertex;

  /**
   * The values to save, and the gain.
   *
   * @param saved the values that are resident at the cut, with the operands of its node
   * @param recomputed the nodes that run again
   * @param bytes what the saved values take, without the operands
   * @param cost what the recomputations cost
   * @param value costs and priced bytes together, in the units of the cut
   */
  public record SavedSet(BitSet saved, BitSet recomputed, long bytes, long cost, long value) {}

  /** @param node the node at whose first run the cut is */
  public OneCut(RecomputeProblem problem, int node) {
    this.problem = problem;
    this.order = problem.order();
    this.node = node;
    before = closure(node, true);
    scale = Math.max(1, LARGEST_SUM / Math.max(1, problem.costOnce()));
    for (int value : order.read(node)) {
      operands.set(value);
    }
    findNeeded();
    fixedBytes = fixedBytes();
    saveEdge = new int[order.values()];
    recomputeEdge = new int[problem.nodes()];
    valueVertex = new int[order.values()];
    nodeVertex = new int[problem.nodes()];
    network = network();
  }

  private BitSet closure(int start, boolean backwards) {
    var found = new BitSet();
    int[] stack = new int[problem.nodes() + 1];
    int depth = 0;
    stack[depth++] = start;
    while (depth > 0) {
      int at = stack[--depth];
      for (int next : backwards ? order.before(at) : order.after(at)) {
        if (!found.get(next)) {
          found.set(next);
          stack[depth++] = next;
        }
      }
    }
    return found;
  }

  private void findNeeded() {
    BitSet later = closure(node, false);
    for (int value = 0; value < order.values(); value++) {
      if (before.get(order.producer(value)) && !operands.get(value)) {
        boolean isNeeded = order.isKept(value);
        for (int reader : order.readers(value)) {
          isNeeded |= later.get(reader);
        }
        needed.set(value, isNeeded);
      }
    }
  }

  private long fixedBytes() {
    long bytes = order.workspace(node);
    for (int value : order.made(node)) {
      bytes += order.bytes(value);
    }
    for (int value : order.read(node)) {
      bytes += order.bytes(value);
    }
    int[] pairs = order.inPlace(node);
    for (int i = 1; i < pairs.length; i += 2) {
      bytes -= order.bytes(pairs[i]);
    }
    return bytes;
  }

  private MinimumCut network() {
    Arrays.fill(saveEdge, -1);
    Arrays.fill(recomputeEdge, -1);
    int vertices = 2;
    for (int at = before.nextSetBit(0); at >= 0; at = before.nextSetBit(at + 1)) {
      nodeVertex[at] = vertices++;
      for (int value : order.made(at)) {
        valueVertex[value] = vertices++;
      }
    }
    var cut = new MinimumCut(vertices);
    for (int at = before.nextSetBit(0); at >= 0; at = before.nextSetBit(at + 1)) {
      recomputeEdge[at] = cut.edge(nodeVertex[at], MinimumCut.SINK, 0);
      for (int value : order.made(at)) {
        if (!operands.get(value)) {
          saveEdge[value] = cut.edge(valueVertex[value], nodeVertex[at], 0);
        }
      }
      for (int value : order.read(at)) {
        if (!operands.get(value)) {
          cut.edge(nodeVertex[at], valueVertex[value], MinimumCut.UNLIMITED);
        }
      }
    }
    for (int value = needed.nextSetBit(0); value >= 0; value = needed.nextSetBit(value + 1)) {
      cut.edge(MinimumCut.SOURCE, valueVertex[value], MinimumCut.UNLIMITED);
    }
    return cut;
  }

  /** The node of the cut. */
  public int node() {
    return node;
  }

  /** The nodes that precede it in every order. */
  public BitSet before() {
    return before;
  }

  /** The bytes left for saved values, beside what the node itself needs. */
  public long room(long budget) {
    return budget - fixedBytes;
  }

  /**
   * A proved bound for a number of bytes, and a set of values to save within them.
   *
   * @param bound the recomputations cost at least this
   * @param set the cheapest set that the prices found; absent when none fits
   */
  public record Split(long bound, @Nullable SavedSet set) {}

  /**
   * The best price for a room of bytes, by Newton's method: the bound as a function of the price is concave, and each
   * cut is a line above it.
   *
   * @param work where it is spent early, the bound is lower, and a set may be absent though one fits
   */
  public Split split(long room, CutWork work) {
    SavedSet cheap = at(0, work);
    if (work.isSpent()) {
      return new Split(0, null);
    }
    if (cheap.bytes <= room) {
      return new Split(0, cheap);
    }
    SavedSet small = at(Double.MAX_VALUE, work);
    if (work.isSpent()) {
      return new Split(0, null);
    }
    if (small.bytes > room) {
      return new Split(Long.MAX_VALUE, null);
    }
    long bound = 0;
    for (int i = 0; i < MOST_CUTS; i++) {
      double price = (double) (small.cost - cheap.cost) * scale / (cheap.bytes - small.bytes);
      SavedSet set = at(price, work);
      // Any flow bounds the cut, also if it is not the largest flow.
      bound = Math.max(bound, boundOf(set, price, room));
      if (work.isSpent()) {
        break;
      }
      boolean isOnLine = set.bytes == cheap.bytes || set.bytes == small.bytes
        || set.cost * (double) scale + set.bytes * price >= (small.cost * (double) scale + small.bytes * price)
          * (1 - 1e-9);
      if (isOnLine) {
        break;
      }
      if (set.bytes > room) {
        cheap = set;
      } else {
        small = set;
      }
    }
    return new Split(bound, small);
  }

  /** Rounded so that it holds: a saved value's price is at most its bytes times the price, in rounded arithmetic. */
  private long boundOf(SavedSet set, double price, long room) {
    double paid = Math.ceil(price * room * (1 + 1e-12)) + 1;
    long rest = set.value - (long) Math.min(paid, 0x1p62);
    return rest <= 0 ? 0 : (rest + scale - 1) / scale;
  }

  /** The cheapest set at a price, in scaled cost for each byte; only its value holds when the work is spent. */
  private SavedSet at(double price, CutWork work) {
    for (int at = before.nextSetBit(0); at >= 0; at = before.nextSetBit(at + 1)) {
      network.capacity(recomputeEdge[at], canRecompute(at) ? problem.cost(at) * scale : MinimumCut.UNLIMITED);
    }
    for (int value = 0; value < saveEdge.length; value++) {
      if (saveEdge[value] >= 0) {
        network.capacity(saveEdge[value], (long) Math.min(order.bytes(value) * price, 1L << 54));
      }
    }
    long value = network.flow(work);
    return collect(value);
  }

  /** A node may not run again at the cut when an edge ends what it reads before that. */
  private boolean canRecompute(int at) {
    boolean can = !problem.runsOnce(at);
    for (int later : order.edges(at)) {
      can &= !before.get(later);
    }
    return can;
  }

  private SavedSet collect(long value) {
    var saved = new BitSet();
    var recomputed = new BitSet();
    long bytes = 0;
    long cost = 0;
    for (int at = before.nextSetBit(0); at >= 0; at = before.nextSetBit(at + 1)) {
      if (network.isOnSourceSide(nodeVertex[at])) {
        recomputed.set(at);
        cost += problem.cost(at);
      }
      for (int made : order.made(at)) {
        if (saveEdge[made] >= 0 && network.isOnSourceSide(valueVertex[made])
          && !network.isOnSourceSide(nodeVertex[at])) {
          saved.set(made);
          bytes += order.bytes(made);
        }
      }
    }
    saved.or(operands);
    return new SavedSet(saved, recomputed, bytes, cost, value);
  }
}
