package dev.cairn.runtime.memory.recompute.search;

import java.util.Arrays;

/**
 * The bytes held at each slot of a row, with the bytes over a budget summed up. Slots without a step count nothing.
 * Blocks of slots have one number to add, so that a long range costs little.
 */
final class HeldProfile {
  /** Taken off slots without a step, so that they are never over the budget. */
  private static final long EMPTY = 1L << 60;
  private static final int SHIFT = 5;
  private static final int BLOCK = 1 << SHIFT;

  private final long budget;
  private final long[] held;
  private final long[] added;
  private final long[] most;
  private final long[] over;
  /** The blocks whose sums are to be made anew, and by block whether it is one of them. */
  private final int[] stale;
  private final boolean[] isStale;
  private int staleCount;
  private long totalOver;
  private long touched;

  /** @param slots a multiple of 32 */
  HeldProfile(int slots, long budget) {
    this.budget = budget;
    held = new long[slots];
    added = new long[slots >> SHIFT];
    most = new long[slots >> SHIFT];
    over = new long[slots >> SHIFT];
    stale = new int[slots >> SHIFT];
    isStale = new boolean[slots >> SHIFT];
    Arrays.fill(held, -EMPTY);
    Arrays.fill(most, -EMPTY);
  }

  static int roundUp(int slots) {
    return slots + BLOCK - 1 & -BLOCK;
  }

  /** Adds bytes to the slots from the first to the last, both included. */
  void add(int first, int last, long bytes) {
    int a = first >> SHIFT;
    int b = last >> SHIFT;
    if (a == b) {
      part(a, first, last, bytes);
      return;
    }
    part(a, first, ((a + 1) << SHIFT) - 1, bytes);
    for (int block = a + 1; block < b; block++) {
      added[block] += bytes;
      most[block] += bytes;
      if (most[block] > budget || over[block] != 0) {
        markStale(block);
      }
    }
    part(b, b << SHIFT, last, bytes);
    touched += b - a;
  }

  /** A step comes to a slot. */
  void occupy(int slot) {
    part(slot >> SHIFT, slot, slot, EMPTY);
  }

  /** A step leaves a slot. */
  void vacate(int slot) {
    part(slot >> SHIFT, slot, slot, -EMPTY);
  }

  private void part(int block, int first, int last, long bytes) {
    for (int i = first; i <= last; i++) {
      held[i] += bytes;
    }
    touched += last - first + 8;
    markStale(block);
  }

  private void markStale(int block) {
    if (!isStale[block]) {
      isStale[block] = true;
      stale[staleCount++] = block;
    }
  }

  private void sumUp() {
    while (staleCount > 0) {
      int block = stale[--staleCount];
      isStale[block] = false;
      sumUp(block);
    }
  }

  private void sumUp(int block) {
    int start = block << SHIFT;
    long limit = budget - added[block];
    long highest = Long.MIN_VALUE;
    long sum = 0;
    for (int i = start; i < start + BLOCK; i++) {
      highest = Math.max(highest, held[i]);
      sum += Math.max(held[i] - limit, 0);
    }
    most[block] = highest + added[block];
    totalOver += sum - over[block];
    over[block] = sum;
    touched += BLOCK;
  }

  /** The bytes held at a slot with a step. */
  long held(int slot) {
    return held[slot] + added[slot >> SHIFT];
  }

  /** The bytes over the budget, summed over all slots. */
  long over() {
    sumUp();
    return totalOver;
  }

  /** The most bytes held at one slot. */
  long peak() {
    sumUp();
    long peak = 0;
    for (long it : most) {
      peak = Math.max(peak, it);
    }
    return peak;
  }

  /** The first slot at or after the given one that is over the budget, around the end; -1 when none is. */
  int overFrom(int slot) {
    if (over() == 0) {
      return -1;
    }
    int blocks = over.length;
    for (int k = 0, block = slot >> SHIFT; k <= blocks; k++, block = block + 1 == blocks ? 0 : block + 1) {
      int from = k == 0 ? slot : block << SHIFT;
      for (int i = from; over[block] != 0 && i < (block + 1) << SHIFT; i++) {
        if (held(i) > budget) {
          return i;
        }
      }
    }
    return -1;
  }

  /** The slot that holds most. */
  int highest() {
    sumUp();
    int block = 0;
    for (int i = 1; i < most.length; i++) {
      block = most[i] > most[block] ? i : block;
    }
    int best = block << SHIFT;
    for (int i = best; i < (block + 1) << SHIFT; i++) {
      best = held[i] > held[best] ? i : best;
    }
    return best;
  }

  /** Counts work that was done elsewhere. */
  void spend(int work) {
    touched += work;
  }

  /** How many numbers were gone through so far: a measure of work. */
  long touched() {
    return touched;
  }
}
