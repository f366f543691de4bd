package dev.cairn.runtime.memory.planner.improve;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Sequences of rectangles for greedy passes, besides those of {@code PlacementOrder}. Pinned ones are left
 * out; ties go to the lower number.
 */
final class Orders {
  private Orders() {}

  /**
   * Outwards from the busiest column, longest first: what is held there is stacked without holes, where every hole
   * would raise the top, and what begins later or ends earlier finds more and more room.
   */
  static int[] outwards(Rectangles rectangles) {
    int busiest = rectangles.busiestColumn();
    return sequence(rectangles, Comparator.<Integer>comparingInt(i -> distance(rectangles, i, busiest))
      .thenComparing(longest(rectangles)));
  }

  /** Longest first in columns, then the larger. */
  static int[] longestFirst(Rectangles rectangles) {
    return sequence(rectangles, longest(rectangles));
  }

  /** Largest first, then the longer. */
  static int[] largestFirst(Rectangles rectangles) {
    return sequence(rectangles,
      Comparator.<Integer>comparingLong(i -> -rectangles.bytes(i)).thenComparing(longest(rectangles)));
  }

  private static Comparator<Integer> longest(Rectangles rectangles) {
    return Comparator.<Integer>comparingInt(i -> -rectangles.length(i)).thenComparingLong(i -> -rectangles.bytes(i));
  }

  private static int distance(Rectangles rectangles, int rectangle, int column) {
    return Math.max(0, Math.max(rectangles.first(rectangle) - column, column - (rectangles.end(rectangle) - 1)));
  }

  private static int[] sequence(Rectangles rectangles, Comparator<Integer> order) {
    return IntStream.range(0, rectangles.count()).filter(i -> !rectangles.isPinned(i)).boxed()
      .sorted(order.thenComparingInt(i -> i)).mapToInt(Integer::intValue).toArray();
  }
}
