package dev.cairn.runtime.memory.planner.inductor;

/**
 * A row of numbers, all 0 at first, of which ranges can be raised and asked for their greatest, each in O(log n): a
 * segment tree. Ranges are half-open and not empty. Not for several threads.
 */
final class RangePeaks {
  private final int leaves;
  /**
   * For each tree node (root 1, children 2n and 2n+1): greatest number below it, without what was added to nodes above
   * it.
   */
  private final long[] max;
  /** For each tree node: what was added to its whole range. Already in its own {@code max}. */
  private final long[] added;

  RangePeaks(int size) {
    leaves = Integer.highestOneBit(Math.max(1, size - 1)) * 2;
    max = new long[2 * leaves];
    added = new long[2 * leaves];
  }

  /** Adds an amount to each number of {@code [from, to)}. */
  void add(int from, int to, long amount) {
    add(1, 0, leaves, new IndexRange(from, to), amount);
  }

  /** The greatest number of {@code [from, to)}. */
  long max(int from, int to) {
    return max(1, 0, leaves, new IndexRange(from, to));
  }

  private void add(int node, int low, int high, IndexRange range, long amount) {
    if (range.misses(low, high)) {
      return;
    }
    if (range.covers(low, high)) {
      max[node] += amount;
      added[node] += amount;
      return;
    }
    int middle = (low + high) >>> 1;
    add(2 * node, low, middle, range, amount);
    add(2 * node + 1, middle, high, range, amount);
    max[node] = Math.max(max[2 * node], max[2 * node + 1]) + added[node];
  }

  private long max(int node, int low, int high, IndexRange range) {
    if (range.misses(low, high)) {
      return Long.MIN_VALUE;
    }
    if (range.covers(low, high)) {
      return max[node];
    }
    int middle = (low + high) >>> 1;
    long below = Math.max(max(2 * node, low, middle, range), max(2 * node + 1, middle, high, range));
    return below + added[node];
  }

  private record IndexRange(int from, int to) {
    boolean misses(int low, int high) {
      return to <= low || high <= from;
    }

    boolean covers(int low, int high) {
      return from <= low && high <= to;
    }
  }
}
