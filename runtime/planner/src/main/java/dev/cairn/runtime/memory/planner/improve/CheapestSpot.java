package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.OffsetAlignment;
import java.util.Arrays;

/**
 * Where a rectangle that fits nowhere drives out least, by the weights of those in its way. Only spots directly below a
 * neighbour's bottom, and directly below the ceiling, are looked at: any other spot can slide up until it meets one,
 * and no more are in its way then. Each neighbour is in the way of a range of spots, found by bisection, so that all
 * are weighed in O(k log k) for k neighbours. Reused; not for several threads.
 */
final class CheapestSpot {
  /** For each spot, ascending: its offset; negative ones come first and cannot be taken. */
  private final long[] spot;
  /** For each spot: what it weighs more than the spot before. */
  private final double[] added;
  /** For each spot: how many more that never go are in its way than in that of the spot before. */
  private final int[] blocked;
  private final double[] weights;
  private final int[] inTheWay;
  private int inTheWayCount;

  /**
   * @param weights by rectangle, as they are when asked; infinite for rectangles that must not be driven out
   */
  CheapestSpot(double[] weights) {
    this.weights = weights;
    spot = new long[weights.length + 1];
    added = new double[weights.length + 2];
    blocked = new int[weights.length + 2];
    inTheWay = new int[weights.length];
  }

  /** How many {@link #choose} would drive out. */
  int inTheWayCount() {
    return inTheWayCount;
  }

  int inTheWay(int position) {
    return inTheWay[position];
  }

  /**
   * The offset below the ceiling, which must be at least as high as the rectangle: the lowest of equally cheap ones.
   *
   * @return {@link Neighbours#NOWHERE} when rectangles that must stay leave no room
   */
  long choose(Neighbours neighbours, long bytes, long alignment, long ceiling) {
    int count = neighbours.count();
    int spots = 0;
    for (int i = 0; i < count && neighbours.bottom(i) < ceiling; i++) {
      spot[spots++] = neighbours.bottom(i) - bytes & -alignment;
    }
    spot[spots++] = ceiling - bytes & -alignment;
    weigh(neighbours, bytes, spots);
    double weight = 0;
    int blocking = 0;
    double least = Double.POSITIVE_INFINITY;
    long chosen = Neighbours.NOWHERE;
    for (int i = 0; i < spots; i++) {
      weight += added[i];
      blocking += blocked[i];
      if (spot[i] >= 0 && blocking == 0 && weight < least) {
        least = weight;
        chosen = spot[i];
      }
    }
    return chosen == Neighbours.NOWHERE ? chosen : settle(neighbours, chosen, bytes, alignment);
  }

  private void weigh(Neighbours neighbours, long bytes, int spots) {
    Arrays.fill(added, 0, spots + 1, 0);
    Arrays.fill(blocked, 0, spots + 1, 0);
    int from = 0;
    for (int i = 0; i < neighbours.count(); i++) {
      while (from < spots && spot[from] + bytes <= neighbours.bottom(i)) {
        from++;
      }
      int to = firstAtOrAbove(neighbours.top(i), from, spots);
      double weight = weights[neighbours.rectangle(i)];
      if (weight == Double.POSITIVE_INFINITY) {
        blocked[from]++;
        blocked[to]--;
      } else {
        added[from] += weight;
        added[to] -= weight;
      }
    }
  }

  private int firstAtOrAbove(long address, int from, int spots) {
    int low = from;
    int high = spots;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (spot[middle] < address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Lists those in the way of a spot; the lowest offset at which no others are. */
  private long settle(Neighbours neighbours, long chosen, long bytes, long alignment) {
    inTheWayCount = 0;
    long free = 0;
    for (int i = 0; i < neighbours.count() && neighbours.bottom(i) < chosen + bytes; i++) {
      if (neighbours.top(i) > chosen) {
        inTheWay[inTheWayCount++] = neighbours.rectangle(i);
      } else {
        free = Math.max(free, OffsetAlignment.up(neighbours.top(i), alignment));
      }
    }
    return free;
  }
}
