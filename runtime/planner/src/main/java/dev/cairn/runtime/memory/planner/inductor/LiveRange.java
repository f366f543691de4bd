package dev.cairn.runtime.memory.planner.inductor;

/**
 * The time steps at which a buffer group is live: from the first step that allocates or frees it, inclusive, to the
 * last, exclusive. Empty when it is allocated and freed in one step, with no kernel in between.
 */
record LiveRange(long begin, long end) {
  LiveRange {
    if (begin > end) {
      throw new AssertionError("range ends before it begins: begin=%d end=%d".formatted(begin, end));
    }
  }

  long length() {
    return end - begin;
  }
}
