package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.OffsetAlignment;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryProblem;

/** The smallest height of a small problem of one device without groups, by every order in which offsets can ascend. */
final class BruteForce {
  private final MemoryProblem problem;
  private final long[] offsets;
  private final boolean[] placed;
  private long best = Long.MAX_VALUE;

  private BruteForce(MemoryProblem problem) {
    this.problem = problem;
    this.offsets = new long[problem.size()];
    this.placed = new boolean[problem.size()];
  }

  static long height(MemoryProblem problem) {
    BruteForce search = new BruteForce(problem);
    search.place(0, 0, 0);
    return search.best;
  }

  private void place(int count, long lowest, long height) {
    if (height >= best) {
      return;
    }
    if (count == placed.length) {
      best = height;
    }
    for (int i = 0; i < placed.length; i++) {
      Buffer buffer = problem.buffer(i);
      if (!placed[i]) {
        long offset = buffer.fixedOffset().orElseGet(() -> OffsetAlignment.up(lowest, buffer.alignment()));
        int other = below(i, offset);
        while (other >= 0 && buffer.fixedOffset().isEmpty()) {
          offset = OffsetAlignment.up(offsets[other] + problem.buffer(other).reservedBytes(), buffer.alignment());
          other = below(i, offset);
        }
        if (other < 0 && offset >= lowest) {
          placed[i] = true;
          offsets[i] = offset;
          place(count + 1, offset, Math.max(height, offset + buffer.reservedBytes()));
          placed[i] = false;
        }
      }
    }
  }

  /** A placed buffer that is in the way, or -1. */
  private int below(int index, long offset) {
    for (int i = 0; i < placed.length; i++) {
      if (placed[i] && problem.conflicts(index, i) && offsets[i] < offset + problem.buffer(index).reservedBytes()
        && offset < offsets[i] + problem.buffer(i).reservedBytes()) {
        return i;
      }
    }
    return -1;
  }
}
