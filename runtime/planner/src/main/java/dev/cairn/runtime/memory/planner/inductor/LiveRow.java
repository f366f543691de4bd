package dev.cairn.runtime.memory.planner.inductor;

import java.util.Arrays;

/**
 * When the children of a {@link TemporalSplit} are live: ranges sorted by time, each with the number of its child.
 * Ranges of different children never overlap; those of one child are joined where they overlap or touch. So a question
 * is answered by binary search, and the row stays short however many buffers lie below.
 *
 * <pre>
 *   child 0  [1    4)      [6  8)      row: 0:[1, 4) 1:[4, 6) 0:[6, 8)
 *   child 1          [4  6)
 * </pre>
 *
 * Inductor's rules for empty ranges: one that is asked about overlaps the range that contains its step; one that lies
 * here is overlapped only by a range that begins before its step and ends after it. Both come out right when step t is
 * the two slots 2t and 2t + 1: a range [b, e) takes slots [2b + 1, 2e), an empty one that lies here takes 2t, and one
 * that is asked about 2t + 1. Not for several threads.
 */
final class LiveRow {
  /** Answer of {@link #childAt}: no child is live. */
  static final int NONE = -1;
  /** Answer of {@link #childAt}: more than one is. */
  static final int SEVERAL = -2;

  private int count;
  private long[] from = new long[2];
  private long[] to = new long[2];
  private int[] child = new int[2];

  /** The one child that is live at some step of the range, or {@link #NONE} or {@link #SEVERAL}. */
  int childAt(LiveRange range) {
    long first = 2 * range.begin() + 1;
    long end = Math.max(2 * range.end(), first + 1);
    int found = NONE;
    for (int i = firstEndingAfter(first); i < count && from[i] < end; i++) {
      if (found != NONE && child[i] != found) {
        return SEVERAL;
      }
      found = child[i];
    }
    return found;
  }

  /** Says that a child is live over a range, in which no other child is. */
  void add(LiveRange range, int who) {
    if (range.length() == 0 && childAt(range) == who) {
      return;
    }
    long begin = range.begin();
    long end = range.end();
    int at = firstEndingAfter(firstSlot(range));
    if (at > 0 && child[at - 1] == who && to[at - 1] / 2 == begin) {
      at--;
    }
    int joined = at;
    for (; joined < count && child[joined] == who && from[joined] / 2 <= range.end(); joined++) {
      begin = Math.min(begin, from[joined] / 2);
      end = Math.max(end, to[joined] / 2);
    }
    replace(at, joined, new LiveRange(begin, end), who);
  }

  private static long firstSlot(LiveRange range) {
    return range.length() == 0 ? 2 * range.begin() : 2 * range.begin() + 1;
  }

  /** The same ranges with all children as number 0, joined where they touch. */
  LiveRow asOneChild() {
    LiveRow row = new LiveRow();
    row.addAll(this, 0);
    return row;
  }

  /** For each child, its ranges, as those of number 0. */
  LiveRow[] byChild(int children) {
    LiveRow[] rows = new LiveRow[children];
    Arrays.setAll(rows, i -> new LiveRow());
    for (int i = 0; i < count; i++) {
      rows[child[i]].add(range(i), 0);
    }
    return rows;
  }

  /** When a child of each is live, as one child; empty ranges aside. */
  LiveRow common(LiveRow other) {
    LiveRow row = new LiveRow();
    int mine = 0;
    int theirs = 0;
    while (mine < count && theirs < other.count) {
      long begin = Math.max(from[mine], other.from[theirs]) / 2;
      long end = Math.min(to[mine], other.to[theirs]) / 2;
      if (begin < end) {
        row.add(new LiveRange(begin, end), 0);
      }
      if (to[mine] < other.to[theirs]) {
        mine++;
      } else {
        theirs++;
      }
    }
    return row;
  }

  /** Adds all ranges of another row as a child's. */
  void addAll(LiveRow other, int who) {
    for (int i = 0; i < other.count; i++) {
      add(other.range(i), who);
    }
  }

  boolean isEmpty() {
    return count == 0;
  }

  void clear() {
    count = 0;
  }

  private LiveRange range(int index) {
    return new LiveRange(from[index] / 2, to[index] / 2);
  }

  /** The first step at which a child is live; there is one. */
  long begin() {
    return from[0] / 2;
  }

  /** The end of the last range; there is one. */
  long end() {
    return to[count - 1] / 2;
  }

  private int firstEndingAfter(long slot) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (to[middle] <= slot) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Puts one range in the place of those from {@code at} to before {@code joined}. */
  private void replace(int at, int joined, LiveRange range, int who) {
    int grown = count + 1 - (joined - at);
    if (grown > from.length) {
      from = Arrays.copyOf(from, 2 * grown);
      to = Arrays.copyOf(to, 2 * grown);
      child = Arrays.copyOf(child, 2 * grown);
    }
    System.arraycopy(from, joined, from, at + 1, count - joined);
    System.arraycopy(to, joined, to, at + 1, count - joined);
    System.arraycopy(child, joined, child, at + 1, count - joined);
    from[at] = firstSlot(range);
    to[at] = Math.max(2 * range.end(), from[at] + 1);
    child[at] = who;
    count = grown;
  }
}
