package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.planner.GapChoice;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Makes an arrangement out of another one: the large rectangles fall down in the order in which they lie, then the
 * small ones are fitted in anew, largest first. Closes holes that small ones keep open beneath large ones, which no
 * search that moves one rectangle at a time does. How many count as large differs each time, the golden section of the
 * last apart, so that the shares spread evenly. Not for several threads.
 */
final class Shake {
  private static final double GOLDEN_SECTION = 0.618034;

  private final Arrangement arrangement;
  private final MoveBudget budget;
  private final int[] byRank;
  private double largeShare;

  /**
   * @param arrangement where {@link #shake} puts its result
   */
  Shake(Rectangles rectangles, Arrangement arrangement, MoveBudget budget) {
    this.arrangement = arrangement;
    this.budget = budget;
    byRank = Orders.largestFirst(rectangles);
  }

  /** Shakes a complete arrangement, by rectangle; one placed in a gap is a move. */
  void shake(long[] offsets) {
    largeShare = (largeShare + GOLDEN_SECTION) % 1;
    int large = (int) (byRank.length * largeShare);
    int[] upwards = IntStream.range(0, large).map(rank -> byRank[rank]).boxed()
      .sorted(Comparator.comparingLong((Integer i) -> offsets[i]).thenComparingInt(i -> i))
      .mapToInt(Integer::intValue).toArray();
    arrangement.clear();
    for (int rectangle : upwards) {
      arrangement.drop(rectangle);
    }
    for (int rank = large; rank < byRank.length; rank++) {
      arrangement.fit(byRank[rank], GapChoice.SMALLEST);
      budget.move();
    }
  }
}
