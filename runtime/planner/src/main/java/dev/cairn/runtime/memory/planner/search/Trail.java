package dev.cairn.runtime.memory.planner.search;

import java.util.Arrays;

/** The values that a search overwrote, to be restored from the last to the first. Grows; never shrinks. */
final class Trail {
  private long[][] arrays = new long[1024][];
  private int[] indexes = new int[1024];
  private long[] before = new long[1024];
  private int size;

  /** The point to which a later step can go back. */
  int mark() {
    return size;
  }

  /** Writes a value into an array, remembering what was there. */
  void set(long[] array, int index, long value) {
    if (size == indexes.length) {
      arrays = Arrays.copyOf(arrays, 2 * size);
      indexes = Arrays.copyOf(indexes, 2 * size);
      before = Arrays.copyOf(before, 2 * size);
    }
    arrays[size] = array;
    indexes[size] = index;
    before[size++] = array[index];
    array[index] = value;
  }

  /** Takes back all that was written since the mark. */
  void undo(int mark) {
    while (size > mark) {
      size--;
      arrays[size][indexes[size]] = before[size];
    }
  }
}
