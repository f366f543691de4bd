package dev.cairn.runtime.memory.order;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Finds the order of a segment with the lowest peak: Dijkstra's algorithm over sets of nodes, where a path is as long
 * as its peak. Of those within one peak, the set of most nodes goes first.
 */
final class LowestPeakSearch {
  private final Segment segment;
  private final long floor;
  private final long below;
  private final Work work;
  private final Map<Object, Long> lowestPeaks = new HashMap<>();
  private final PriorityQueue<Open> open = new PriorityQueue<>(Comparator.comparingLong(Open::peak)
    .thenComparingInt(it -> -it.prefix.count()).thenComparingLong(it -> it.prefix.live())
    .thenComparingLong(Open::serial));

  private long pushed;

  private record Open(OrderPrefix prefix, long peak, long serial) {}

  /**
   * The result.
   *
   * @param order the problem's numbers of the segment's nodes; empty when none was found
   * @param proved whether none is better: than the order, or than was asked for when there is none
   */
  record SearchedOrder(Optional<int[]> order, boolean proved) {}

  private LowestPeakSearch(Segment segment, long floor, long below, Work work) {
    this.segment = segment;
    this.floor = floor;
    this.below = below;
    this.work = work;
  }

  /**
   * @param floor a peak that is allowed anyway; orders within it are all equally good
   * @param below only peaks below this are of interest; above the floor
   * @param work what may be spent
   */
  static SearchedOrder search(Segment segment, long floor, long below, Work work) {
    return new LowestPeakSearch(segment, floor, below, work).search();
  }

  private SearchedOrder search() {
    push(OrderPrefix.start(segment, floor));
    while (!open.isEmpty()) {
      Open best = open.remove();
      if (best.prefix.isComplete()) {
        return new SearchedOrder(Optional.of(best.prefix.order()), true);
      }
      if (lowestPeaks.getOrDefault(best.prefix.nodes(), best.peak) < best.peak) {
        continue;
      }
      for (int i = 0; i < best.prefix.ready(); i++) {
        if (best.prefix.peakAfter(i) < below) {
          push(best.prefix.after(i, best.peak));
        }
      }
      if (work.isSpent()) {
        return new SearchedOrder(Optional.empty(), false);
      }
    }
    return new SearchedOrder(Optional.empty(), true);
  }

  private void push(OrderPrefix prefix) {
    work.spend(prefix.words());
    long peak = Math.max(floor, prefix.peak());
    Object nodes = prefix.nodes();
    Long known = lowestPeaks.get(nodes);
    if (known == null || peak < known) {
      lowestPeaks.put(nodes, peak);
      open.add(new Open(prefix, peak, pushed++));
    }
  }
}
