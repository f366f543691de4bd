package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.OffsetAlignment;
import dev.cairn.runtime.memory.Lifetime;

/**
 * The buffers placed in one arena so far, in the order of their offsets.
 *
 * <pre>
 *   address                a buffer held in [2, 5) sees only A, B and D, and between them
 *     |  [   D   ]         two gaps: one from the top of B to D, and one from 0 to A.
 *     |        [ C ]
 *     |    [ B  ]
 *     |  [ A ]
 *     +--1-2-3-4-5-6--&gt; steps
 * </pre>
 *
 * Parallel arrays, scanned from the bottom: O(n) a search, with no allocation, which on 30,000 buffers beats trees.
 * Not for several threads.
 */
final class PlacedBuffers {
  private final int[] first;
  private final int[] end;
  private final long[] bottom;
  private final long[] top;
  private int count;

  PlacedBuffers(int capacity) {
    first = new int[capacity];
    end = new int[capacity];
    bottom = new long[capacity];
    top = new long[capacity];
  }

  /** The offset at which a buffer that takes {@code bytes} can be added; nothing is added yet. */
  long find(Lifetime held, long bytes, long alignment, GapChoice choice) {
    int from = held.first();
    int to = held.end();
    long free = 0; // lowest aligned address above all neighbours seen so far
    long chosen = -1;
    long chosenGap = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      if (first[i] < to && from < end[i]) {
        long gap = bottom[i] - free;
        if (gap >= bytes && gap < chosenGap) {
          chosen = free;
          chosenGap = gap;
          if (gap == bytes || choice == GapChoice.LOWEST) {
            return chosen; // no later gap can be better
          }
        }
        free = Math.max(free, OffsetAlignment.up(top[i], alignment));
      }
    }
    return chosen >= 0 ? chosen : free;
  }

  /** Adds a buffer that takes {@code bytes}, more than 0, at this offset. */
  void add(Lifetime held, long offset, long bytes) {
    int at = firstAtOrAbove(offset);
    int moved = count - at;
    System.arraycopy(first, at, first, at + 1, moved);
    System.arraycopy(end, at, end, at + 1, moved);
    System.arraycopy(bottom, at, bottom, at + 1, moved);
    System.arraycopy(top, at, top, at + 1, moved);
    first[at] = held.first();
    end[at] = held.end();
    bottom[at] = offset;
    top[at] = offset + bytes;
    count++;
  }

  private int firstAtOrAbove(long offset) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (bottom[middle] < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
