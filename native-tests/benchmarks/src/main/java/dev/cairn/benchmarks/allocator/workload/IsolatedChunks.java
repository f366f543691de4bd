package dev.cairn.benchmarks.allocator.workload;

import dev.cairn.benchmarks.allocator.arena.Arena;

/** Free chunks of 1 KiB, each between two that are held, so that none can grow. */
public final class IsolatedChunks {
  /** A request that does not fit into them, though it is searched in the same bin. */
  public static final long WANTED_BYTES = 1792;
  private static final long BYTES = 1024;

  private IsolatedChunks() {}

  /** Makes them. */
  public static void make(Arena arena, int count) {
    long[] tokens = new long[count];
    for (int i = 0; i < count; i++) {
      tokens[i] = arena.grant(BYTES);
      arena.grant(BYTES);
    }
    for (long token : tokens) {
      arena.release(token);
    }
  }
}
