package dev.cairn.benchmarks.allocator.workload;

/**
 * Random numbers that are made in a nanosecond or two and are the same for every arena: Marsaglia's xorshift with the
 * shifts 13, 7, 17.
 */
public final class Xorshift {
  private static final long SEED = 88_172_645_463_325_252L;
  private static final int CHUNK_BYTES = 256;
  private static final int LARGEST_CHUNKS = 16;
  private static final int MOST_SLACK_BYTES = 200;

  private long state = SEED;

  /** The next number, evenly from 0 to less than the bound, which must be positive. */
  public int below(int bound) {
    state ^= state << 13;
    state ^= state >>> 7;
    state ^= state << 17;
    return (int) (((state >>> 32) * bound) >>> 32);
  }

  /** The request: one to sixteen chunks of 256 bytes, less up to 199 bytes. */
  public long bytes() {
    return (below(LARGEST_CHUNKS) + 1) * (long) CHUNK_BYTES - below(MOST_SLACK_BYTES);
  }
}
