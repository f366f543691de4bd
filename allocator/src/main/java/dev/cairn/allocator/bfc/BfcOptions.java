package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.SharedCounter;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link BfcAllocator} behaves. {@link #DEFAULT} is XLA's allocator to the byte; each option is changed by the
 * method {@code with...} of its name.
 *
 * @param limitBytes the most that the pool may hold, slack and free chunks included
 * @param growth how large the regions are that it takes from its source
 * @param firstRegionBytes length of the first region under {@link Growth#DOUBLING}, a positive multiple of 256
 * @param maximumStepBytes the longest region that doubling leads to; a larger request is given what it needs
 * @param split when a chunk is split
 * @param placement where in a free chunk that is larger than need be a block is put
 * @param collection when what is idle is given back for the sake of a request
 * @param clock what stamps frees, where memory may be in use by streams after its free; null where it isn't
 */
public record BfcOptions(long limitBytes, Growth growth, long firstRegionBytes, long maximumStepBytes,
  SplitPolicy split, Placement placement, Collection collection, @Nullable SharedCounter clock) {
  /** The first region of a growing pool: 2 MiB. */
  public static final long FIRST_REGION_BYTES = 2L << 20;
  /** Grows by doubling, without a limit. */
  public static final BfcOptions DEFAULT = new BfcOptions(Long.MAX_VALUE, Growth.DOUBLING, FIRST_REGION_BYTES,
    Long.MAX_VALUE, SplitPolicy.doubleOrSlack(SplitPolicy.STANDARD_SLACK_BYTES), Placement.LOW_END,
    Collection.NEVER, null);

  /**
   * Splits exactly, and puts blocks next to their like: takes a fixed pool that is a seventh to a fifth smaller than
   * the default's, on the traces of decision 0005.
   */
  public static final BfcOptions LOW_FRAGMENTATION = DEFAULT.withSplit(SplitPolicy.exact())
    .withPlacement(Placement.BY_NEIGHBOURS);

  /** When what is idle is given back for the sake of a request that doesn't fit. */
  public enum Collection {
    /** Not at all. */
    NEVER,
    /** When the pool can't grow otherwise, and idle regions are long enough to make room: XLA's garbage collection. */
    AT_THE_LIMIT,
    /** Also before the pool would become larger than it ever was. */
    BEFORE_A_PEAK,
    /**
     * Also before the pool grows at all; and a request lets the pool grow rather than cut up a region that is idle and
     * more than twice as long as the one that would be added.
     */
    BEFORE_GROWTH
  }

  /** Where in a free chunk a block is put. */
  public enum Placement {
    /** At the low end, as XLA does. */
    LOW_END,
    /** Next to the neighbour that is more like it. */
    BY_NEIGHBOURS
  }

  /** How large the next region is. */
  public enum Growth {
    /** The whole limit at the first request. */
    WHOLE,
    /** Twice the one before, or as many times doubled as the request needs. */
    DOUBLING,
    /** As long as the request, no longer. */
    AS_REQUESTED,
    /**
     * Where the source's regions adjoin and merge, as many pages of the first region's length as the request needs
     * beyond what is free at the end of the pool, of which a million is too many; else as long as the request.
     */
    BY_PAGE
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
    if (maximumStepBytes < firstRegionBytes) {
      throw new IllegalArgumentException("largest step must not be below the first region: maximumStepBytes=%d "
        .formatted(maximumStepBytes) + "firstRegionBytes=" + firstRegionBytes);
    }
  }

  /** These options with another limit. */
  public BfcOptions withLimitBytes(long newLimitBytes) {
    return new BfcOptions(newLimitBytes, growth, firstRegionBytes, maximumStepBytes, split, placement,
      collection, clock);
  }

  /** These options with another growth. */
  public BfcOptions withGrowth(Growth newGrowth) {
    return new BfcOptions(limitBytes, newGrowth, firstRegionBytes, maximumStepBytes, split, placement,
      collection, clock);
  }

  /** These options with another first region. */
  public BfcOptions withFirstRegionBytes(long newFirstRegionBytes) {
    return new BfcOptions(limitBytes, growth, newFirstRegionBytes, maximumStepBytes, split, placement,
      collection, clock);
  }

  /** These options with another longest step. */
  public BfcOptions withMaximumStepBytes(long newMaximumStepBytes) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, newMaximumStepBytes, split, placement,
      collection, clock);
  }

  /** These options with another split policy. */
  public BfcOptions withSplit(SplitPolicy newSplit) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, maximumStepBytes, newSplit, placement,
      collection, clock);
  }

  /** These options with another place for blocks. */
  public BfcOptions withPlacement(Placement newPlacement) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, maximumStepBytes, split, newPlacement, collection,
      clock);
  }

  /** These options with idle regions given back at other times. */
  public BfcOptions withCollection(Collection newCollection) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, maximumStepBytes, split, placement,
      newCollection, clock);
  }

  /** These options with frees stamped by a clock. */
  public BfcOptions withClock(SharedCounter newClock) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, maximumStepBytes, split, placement, collection,
      newClock);
  }
}
