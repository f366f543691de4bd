package dev.cairn.runtime.memory.order;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Finds a good order of a segment of any size: of all sets of equally many nodes, the few with the lowest peak (then
 * with the least live) go on. With a width of 1 it is a greedy walk.
 */
final class BeamSearch {
  private static final Comparator<OrderPrefix> BEST_FIRST = Comparator.comparingLong(OrderPrefix::live);

  private final long floor;
  private final int width;
  private final List<List<OrderPrefix>> byCount = new ArrayList<>();

  private BeamSearch(Segment segment, long floor, int width) {
    this.floor = floor;
    this.width = width;
    for (int i = 0; i <= segment.size(); i++) {
      byCount.add(new ArrayList<>());
    }
    OrderPrefix start = OrderPrefix.start(segment, floor);
    byCount.get(start.count()).add(start);
  }

  /**
   * An order whose peak is below the given one, if the walk ends in one.
   *
   * @param floor a peak that is allowed anyway
   * @param width how many sets of each number of nodes go on
   */
  static Optional<int[]> search(Segment segment, long floor, long below, int width, Work work) {
    return new BeamSearch(segment, floor, width).search(below, work);
  }

  private Optional<int[]> search(long below, Work work) {
    for (int count = 0; count < byCount.size() - 1; count++) {
      for (OrderPrefix prefix : best(count)) {
        for (int i : bestMoves(prefix)) {
          if (prefix.peakAfter(i) < below) {
            OrderPrefix next = prefix.after(i, floor);
            work.spend(next.words());
            byCount.get(next.count()).add(next);
          }
        }
        work.spend(prefix.ready());
      }
      byCount.get(count).clear();
      if (work.isSpent()) {
        return Optional.empty();
      }
    }
    return best(byCount.size() - 1).stream().findFirst().map(OrderPrefix::order);
  }

  private List<OrderPrefix> best(int count) {
    List<OrderPrefix> best = new ArrayList<>();
    Set<Object> known = new HashSet<>();
    for (OrderPrefix it : byCount.get(count).stream().sorted(Comparator.comparingLong(this::peak).thenComparing(
      BEST_FIRST)).toList()) {
      if (best.size() < width && known.add(it.nodes())) {
        best.add(it);
      }
    }
    return best;
  }

  private long peak(OrderPrefix prefix) {
    return Math.max(floor, prefix.peak());
  }

  private int[] bestMoves(OrderPrefix prefix) {
    if (prefix.ready() <= width) {
      return IntStream.range(0, prefix.ready()).toArray();
    }
    return IntStream.range(0, prefix.ready()).boxed()
      .sorted(Comparator.<Integer>comparingLong(i -> Math.max(floor, prefix.peakAfter(i)))
        .thenComparingLong(prefix::liveAfter))
      .limit(width).mapToInt(Integer::intValue).toArray();
  }
}
