package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Alignment;

/**
 * How a {@link BfcAllocator} behaves.
 *
 * @param limitBytes the most that the pool may hold, slack and free chunks included
 * @param growth how large the regions are that it takes from its source
 * @param firstRegionBytes length of the first region under {@link Growth#DOUBLING}, a positive multiple of 256
 * @param split when a chunk is split
 */
public record BfcOptions(long limitBytes, Growth growth, long firstRegionBytes, SplitPolicy split) {
  /** The first region of a growing pool: 2 MiB. */
  public static final long FIRST_REGION_BYTES = 2L << 20;
  /** Grows by doubling, without a limit. */
  public static final BfcOptions DEFAULT = new BfcOptions(Long.MAX_VALUE, Growth.DOUBLING, FIRST_REGION_BYTES,
    SplitPolicy.doubleOrSlack(SplitPolicy.STANDARD_SLACK_BYTES));

  /** How large the next region is. */
  public enum Growth {
    /** The whole limit at the first request. */
    WHOLE,
    /** Twice the one before, or as many times doubled as the request needs. */
    DOUBLING,
    /** As long as the request, no longer. */
    AS_REQUESTED
  }

  /** Checks the figures. */
  public BfcOptions {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limit must not be negative: limitBytes=" + limitBytes);
    }
    if (firstRegionBytes <= 0 || !Alignment.isAligned(firstRegionBytes, Alignment.CHUNK_BYTES)) {
      throw new IllegalArgumentException(
        "first region must be a positive multiple of 256: firstRegionBytes=" + firstRegionBytes);
    }
  }

  /** These options with another limit. */
  public BfcOptions withLimitBytes(long newLimitBytes) {
    return new BfcOptions(newLimitBytes, growth, firstRegionBytes, split);
  }

  /** These options with another growth. */
  public BfcOptions withGrowth(Growth newGrowth) {
    return new BfcOptions(limitBytes, newGrowth, firstRegionBytes, split);
  }

  /** These options with another first region. */
  public BfcOptions withFirstRegionBytes(long newFirstRegionBytes) {
    return new BfcOptions(limitBytes, growth, newFirstRegionBytes, split);
  }

  /** These options with another split rule. */
  public BfcOptions withSplit(SplitPolicy newSplit) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, newSplit);
  }
}
