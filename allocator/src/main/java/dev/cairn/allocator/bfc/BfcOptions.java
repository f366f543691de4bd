package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.Rounding;
import dev.cairn.allocator.SharedCounter;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link BfcAllocator}. {@link #DEFAULT} behaves exactly like XLA's allocator.
 *
 * @param limitBytes the most that the pool may hold, slack and free chunks included
 * @param growth how large each region from the source is
 * @param firstRegionBytes length of the first region under {@link Growth#DOUBLING}, a positive multiple of 256
 * @param maximumStepBytes the longest region from doubling; a larger request gets a region of its own size
 * @param split when a chunk is split
 * @param placement where to place a block in a larger free chunk
 * @param collection when the allocator returns idle regions to make room for a request
 * @param clock stamps each free, for memory that streams may still use afterwards; null for other memory
 * @param rounding how long the chunk for a request is; null for the next multiple of 256
 * @param pooling whether freed memory stays for later requests
 */
public record BfcOptions(long limitBytes, Growth growth, long firstRegionBytes, long maximumStepBytes,
  SplitPolicy split, Placement placement, Collection collection, @Nullable SharedCounter clock,
  @Nullable Rounding rounding, Pooling pooling) {
  /** The first region of a growing pool: 2 MiB. */
  public static final long FIRST_REGION_BYTES = 2L << 20;
  /** Growth by doubling, without a limit. */
  public static final BfcOptions DEFAULT = new BfcOptions(Long.MAX_VALUE, Growth.DOUBLING, FIRST_REGION_BYTES,
    Long.MAX_VALUE, SplitPolicy.doubleOrSlack(SplitPolicy.STANDARD_SLACK_BYTES), Placement.LOW_END,
    Collection.NEVER, null, null, Pooling.POOLED);

  /**
   * Exact splits, and blocks placed next to similar ones. Needs a fixed pool that is a seventh to a fifth smaller than
   * the default's, on the traces of decision 0005.
   */
  public static final BfcOptions LOW_FRAGMENTATION = DEFAULT.withSplit(SplitPolicy.exact())
    .withPlacement(Placement.BY_NEIGHBOURS);

  /** When the allocator returns idle regions to make room for a request. */
  public enum Collection {
    /** Never. */
    NEVER,
    /** When the pool cannot grow, and idle regions are long enough to make room: XLA's garbage collection. */
    AT_THE_LIMIT,
    /** Collects also before the pool would exceed its previous peak. */
    BEFORE_A_PEAK,
    /**
     * Collects also before the pool grows at all. A request also lets the pool grow rather than split an idle region
     * that is more than twice as long as the new one.
     */
    BEFORE_GROWTH,
    /**
     * Like {@link #BEFORE_GROWTH}. And before the allocator refuses a request, it moves blocks that their owners let it
     * move ({@link dev.cairn.allocator.BlockMover}), so that free memory lies together, and tries once more.
     */
    COMPACT
  }

  /** Where to place a block in a free chunk. */
  public enum Placement {
    /** The block lies at the low end of the chunk, as in XLA. */
    LOW_END,
    /** Next to the more similar neighbour. */
    BY_NEIGHBOURS
  }

  /** Whether freed memory stays for later requests. */
  public enum Pooling {
    /** Freed memory stays in the pool, which cuts blocks out of its regions. */
    POOLED,
    /**
     * Each block has a region of its own, which goes back to the source when the block is freed. Blocks of a larger
     * alignment than 256 bytes may share a region.
     */
    NONE
  }

  /** The size of the next region. */
  public enum Growth {
    /** The whole limit at the first request. */
    WHOLE,
    /** Twice the previous region, doubled again until the request fits. */
    DOUBLING,
    /** Exactly as long as the request. */
    AS_REQUESTED,
    /**
     * For sources whose adjoining regions merge: as many pages as the request needs beyond the free end of the pool, at
     * most a million. A page has the length of the first region. For other sources, exactly as long as the request.
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
      collection, clock, rounding, pooling);
  }

  /** These options with another growth. */
  public BfcOptions withGrowth(Growth newGrowth) {
    return new BfcOptions(limitBytes, newGrowth, firstRegionBytes, maximumStepBytes, split, placement,
      collection, clock, rounding, pooling);
  }

  /** These options with another first region. */
  public BfcOptions withFirstRegionBytes(long newFirstRegionBytes) {
    return new BfcOptions(limitBytes, growth, newFirstRegionBytes, maximumStepBytes, split, placement,
      collection, clock, rounding, pooling);
  }

  /** These options with another longest step. */
  public BfcOptions withMaximumStepBytes(long newMaximumStepBytes) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, newMaximumStepBytes, split, placement,
      collection, clock, rounding, pooling);
  }

  /** These options with another split policy. */
  public BfcOptions withSplit(SplitPolicy newSplit) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, maximumStepBytes, newSplit, placement,
      collection, clock, rounding, pooling);
  }

  /** These options with another placement. */
  public BfcOptions withPlacement(Placement newPlacement) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, maximumStepBytes, split, newPlacement, collection,
      clock, rounding, pooling);
  }

  /** These options with another collection. */
  public BfcOptions withCollection(Collection newCollection) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, maximumStepBytes, split, placement,
      newCollection, clock, rounding, pooling);
  }

  /** These options with a clock. */
  public BfcOptions withClock(SharedCounter newClock) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, maximumStepBytes, split, placement, collection,
      newClock, rounding, pooling);
  }

  /** These options with a rounding. MXNet's: {@link Rounding}. */
  public BfcOptions withRounding(Rounding newRounding) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, maximumStepBytes, split, placement, collection, clock,
      newRounding, pooling);
  }

  /** These options with another pooling. */
  public BfcOptions withPooling(Pooling newPooling) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, maximumStepBytes, split, placement, collection, clock,
      rounding, newPooling);
  }
}
