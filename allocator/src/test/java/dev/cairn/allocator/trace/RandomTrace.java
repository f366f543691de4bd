package dev.cairn.allocator.trace;

import java.util.SplittableRandom;

/**
 * Traces made up from a seed, of the shape of RMM's benchmark of random allocations: each step grants with a
 * probability of 73 % as long as the cap allows, and otherwise frees any one live block; in the end all is freed. Sizes
 * are even between 1 and the largest. The same arguments give the same trace, on every machine. Stateless.
 */
public final class RandomTrace {
  /** RMM's cap: 16,000 MiB. */
  public static final long CAP_BYTES = 16_000L << 20;
  private static final int GRANT_PERCENT = 73;

  private RandomTrace() {}

  /**
   * A trace of {@code grants} grants and as many frees.
   *
   * @param largestBytes the largest size, 1 to the cap
   * @param capBytes the most that may be live at one time
   */
  public static AllocationTrace of(long seed, int grants, long largestBytes, long capBytes) {
    if (grants < 0 || grants > 1 << 29 || largestBytes < 1 || largestBytes > capBytes) {
      throw new IllegalArgumentException("no such trace: grants=%d largestBytes=%d capBytes=%d".formatted(grants,
        largestBytes, capBytes));
    }
    SplittableRandom random = new SplittableRandom(seed);
    TraceBuilder trace = new TraceBuilder();
    int[] live = new int[grants];
    long[] sizes = new long[grants];
    int liveCount = 0;
    int granted = 0;
    long liveBytes = 0;
    while (granted < grants || liveCount > 0) {
      long bytes = 1 + random.nextLong(largestBytes);
      boolean wanted = liveCount == 0 || random.nextInt(100) < GRANT_PERCENT;
      if (wanted && granted < grants && bytes <= capBytes - liveBytes) {
        int block = trace.grant(bytes);
        sizes[block] = bytes;
        live[liveCount++] = block;
        granted++;
        liveBytes += bytes;
      } else {
        int picked = random.nextInt(liveCount);
        int block = live[picked];
        live[picked] = live[--liveCount];
        liveBytes -= sizes[block];
        trace.free(block);
      }
    }
    return trace.build();
  }
}
