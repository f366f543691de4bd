package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.OffsetAlignment;
import dev.cairn.runtime.memory.planner.GapChoice;

/** The placed rectangles that share a column with one that is looked at, from the lowest bottom up. Reused. */
final class Neighbours {
  static final long NOWHERE = -1;

  private final int[] rectangle;
  private final long[] bottom;
  private final long[] top;
  private int count;

  Neighbours(int capacity) {
    rectangle = new int[capacity];
    bottom = new long[capacity];
    top = new long[capacity];
  }

  void clear() {
    count = 0;
  }

  /** Adds one, not below the last. */
  void add(int newRectangle, long newBottom, long newTop) {
    rectangle[count] = newRectangle;
    bottom[count] = newBottom;
    top[count++] = newTop;
  }

  int count() {
    return count;
  }

  int rectangle(int position) {
    return rectangle[position];
  }

  long bottom(int position) {
    return bottom[position];
  }

  long top(int position) {
    return top[position];
  }

  /** The lowest aligned offset above all of them. */
  long above(long alignment) {
    long free = 0;
    for (int i = 0; i < count; i++) {
      free = Math.max(free, top[i]);
    }
    return OffsetAlignment.up(free, alignment);
  }

  /** The offset of a gap between neighbours, or between the highest and the ceiling; {@link #NOWHERE} without one. */
  long gap(long bytes, long alignment, long ceiling, GapChoice choice) {
    long free = 0; // lowest aligned address above all neighbours seen so far
    long chosen = NOWHERE;
    long chosenBytes = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      long gapBytes = bottom[i] - free;
      if (gapBytes >= bytes && gapBytes < chosenBytes) {
        chosen = free;
        chosenBytes = gapBytes;
        if (gapBytes == bytes || choice == GapChoice.LOWEST) {
          return chosen; // no later gap can be better
        }
      }
      free = top[i] <= free ? free : OffsetAlignment.up(top[i], alignment);
    }
    long above = ceiling - free;
    return above >= bytes && (chosen == NOWHERE || above < chosenBytes) ? free : chosen;
  }
}
