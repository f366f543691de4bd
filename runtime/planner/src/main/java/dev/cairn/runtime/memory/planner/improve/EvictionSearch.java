package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.planner.GapChoice;
import java.util.BitSet;

/**
 * Lowers the top of a complete arrangement. It sets a target below the top, takes out all that sticks out above it, and
 * places that again, largest first: into the smallest gap below the target, or, when there is none, where it drives
 * out least; rectangles that were driven out wait for their turn. When none waits, the target is reached, and this is
 * the arrangement to improve on. After too many moves it goes back to the best one and tries a target nearer to that.
 *
 * <p>A rectangle weighs its area, and once more for each time that it was driven out. So rectangles that are hard to
 * place are left alone after a while, and a cycle ends by itself: the idea of "squeaky wheel" and guided local search
 * (Joslin and Clements 1999; Voudouris and Tsang 1999), here in place rather than by greedy passes from the start, as
 * only few rectangles of a large problem stand against a lower top. No clock and no chance but the caller's time limit.
 */
final class EvictionSearch {
  private static final int FIRST_PATIENCE = 100;
  private static final int PATIENCE_ADDED = 10;
  /** By which part of the distance between best top and bound the first target lies below the best top. */
  private static final double WIDE_STEP = 0.3;
  private static final double NARROW_STEP = 0.01;

  private final Rectangles rectangles;
  private final Arrangement arrangement;
  private final MoveBudget budget;
  private final long boundBytes;
  /** For each rank: the larger first, then the longer; pinned ones have none. */
  private final int[] byRank;
  private final int[] rank;
  /** For each rank, the rectangles that are not placed. */
  private final BitSet waiting = new BitSet();
  private final double[] weights;
  private final CheapestSpot cheapest;
  private final long[] best;
  private long bestTop;
  private double step;
  private long patience = FIRST_PATIENCE;
  private long movesLeft;

  /**
   * @param arrangement complete; from now on this search's own
   */
  EvictionSearch(Rectangles rectangles, Arrangement arrangement, MoveBudget budget) {
    this.rectangles = rectangles;
    this.arrangement = arrangement;
    this.budget = budget;
    boundBytes = rectangles.boundBytes();
    byRank = Orders.largestFirst(rectangles);
    rank = new int[rectangles.count()];
    for (int i = 0; i < byRank.length; i++) {
      rank[byRank[i]] = i;
    }
    weights = new double[rectangles.count()];
    cheapest = new CheapestSpot(weights);
    best = arrangement.offsets();
    startFrom(best);
  }

  long bestTop() {
    return bestTop;
  }

  /** The best offsets found so far, by rectangle. */
  long[] best() {
    return best.clone();
  }

  /** Starts anew from a complete arrangement, by rectangle. */
  void startFrom(long[] offsets) {
    arrangement.restore(offsets);
    keep();
    for (int i = 0; i < weights.length; i++) {
      weights[i] = rectangles.isPinned(i) ? Double.POSITIVE_INFINITY : rectangles.area(i);
    }
    step = WIDE_STEP;
  }

  /** Searches until it reaches the bound or has tried all steps in vain, or these moves or the budget are spent. */
  void run(long moves) {
    movesLeft = moves;
    boolean stalled = false;
    while (bestTop > boundBytes && !stalled && !isSpent()) {
      long target = Math.max(boundBytes, Math.min(bestTop - 1, bestTop - (long) ((bestTop - boundBytes) * step)));
      takeOutAbove(target);
      if (placeWaiting(target)) {
        keep();
        step = WIDE_STEP;
      } else {
        waiting.clear();
        arrangement.restore(best);
        stalled = narrow();
      }
    }
  }

  private boolean isSpent() {
    return movesLeft <= 0 || budget.isSpent();
  }

  /** Whether all steps were tried. The next is then the bound itself, as weights have changed, with more patience. */
  private boolean narrow() {
    step /= 2;
    if (step >= NARROW_STEP) {
      return false;
    }
    step = 1;
    patience += PATIENCE_ADDED;
    return true;
  }

  private void takeOutAbove(long target) {
    for (int i = 0; i < rank.length; i++) {
      if (arrangement.top(i) > target) {
        takeOut(i);
      }
    }
  }

  private void takeOut(int rectangle) {
    arrangement.remove(rectangle);
    waiting.set(rank[rectangle]);
  }

  private boolean placeWaiting(long target) {
    for (long moves = 0; moves < patience && !isSpent() && !waiting.isEmpty(); moves++) {
      int next = waiting.nextSetBit(0);
      if (!place(byRank[next], target)) {
        return false;
      }
      waiting.clear(next);
      movesLeft--;
      budget.move();
    }
    return waiting.isEmpty();
  }

  /** Whether there was room, perhaps by driving out others. */
  private boolean place(int rectangle, long target) {
    Neighbours neighbours = arrangement.neighbours(rectangle);
    long bytes = rectangles.bytes(rectangle);
    long alignment = rectangles.alignment(rectangle);
    long offset = neighbours.gap(bytes, alignment, target, GapChoice.SMALLEST);
    if (offset == Neighbours.NOWHERE) {
      offset = cheapest.choose(neighbours, bytes, alignment, target);
      if (offset == Neighbours.NOWHERE) {
        return false;
      }
      for (int i = 0; i < cheapest.inTheWayCount(); i++) {
        int evicted = cheapest.inTheWay(i);
        takeOut(evicted);
        weights[evicted] += rectangles.area(evicted);
      }
    }
    arrangement.place(rectangle, offset);
    return true;
  }

  private void keep() {
    bestTop = arrangement.top();
    for (int i = 0; i < best.length; i++) {
      best[i] = arrangement.offset(i);
    }
  }
}
