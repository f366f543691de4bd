package dev.cairn.runtime.memory.planner.search;

import java.util.Arrays;

/**
 * States from which no plan within a capacity follows, by their hashes: a table in which a newer one takes the place of
 * an older. A state is which buffers wait, how low each can lie, and whether it is carried there. So it fails in every
 * order in which it was reached, and for every smaller capacity too.
 */
final class FailedStates {
  private final long[] table;
  private long capacity = -1;

  /** @param log the table holds 2^log states */
  FailedStates(int log) {
    table = new long[1 << log];
  }

  /** Forgets all that was learned with a smaller capacity. */
  void begin(long newCapacity) {
    if (newCapacity > capacity) {
      Arrays.fill(table, 0);
    }
    capacity = newCapacity;
  }

  /** The state of the waiting items whose sections lie in a range. Never 0. */
  static long hash(Skyline skyline, int firstSection, int lastSection) {
    Part part = skyline.part;
    long[] lowest = skyline.lowest;
    long hash = firstSection;
    for (int item = 0; item < lowest.length; item++) {
      long low = lowest[item];
      if (low != Skyline.PLACED) {
        int section = part.sections[item][0];
        if (section >= firstSection && section <= lastSection) {
          hash += mix(mix(low * 2 + (skyline.isCarried(item) ? 1 : 0)) + item * 0x9E3779B97F4A7C15L);
        }
      }
    }
    skyline.steps += lowest.length;
    return hash == 0 ? 1 : hash;
  }

  boolean contains(long hash) {
    return table[slot(hash)] == hash;
  }

  void add(long hash) {
    table[slot(hash)] = hash;
  }

  private int slot(long hash) {
    return (int) (hash >>> 32 ^ hash) & table.length - 1;
  }

  /** The finaliser of SplitMix64. */
  private static long mix(long bits) {
    long mixed = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
