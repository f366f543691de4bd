package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Asks the source for the next region: how long it is to be, and what to do when the source refuses. Not safe for many
 * threads.
 *
 * <p>Under doubling, the length starts at the first region's and doubles until the request fits; the limit caps it. A
 * source that refuses is asked for nine tenths, again and again, down to the request. A region that did not need to be
 * doubled for its request makes the next one twice as long. Unlike its models, a request that fails in the end does not
 * change the length of the next region. A length at the cap of one step stays there, and a longer request gets the
 * bytes that it needs. After a region was returned, the length starts again, as in ONNX Runtime's arena.
 */
final class RegionGrower {
  private final SubAllocator source;
  private final BfcOptions options;
  private final long granularityBytes;
  private final long firstBytes;
  private long nextBytes;

  RegionGrower(SubAllocator source, BfcOptions options) {
    this.source = source;
    this.options = options;
    this.granularityBytes = source.granularityBytes();
    this.firstBytes = Math.min(options.firstRegionBytes(), options.limitBytes());
    this.nextBytes = firstBytes;
  }

  /** A region of at least {@code wantedBytes}, a multiple of 256; null when limit or source have none. */
  @Nullable
  Region grow(long wantedBytes, long poolBytes) {
    long cap = allowedBytes(poolBytes);
    if (wantedBytes > cap) {
      return null;
    }
    long leastBytes = Alignment.up(wantedBytes, granularityBytes);
    long proposedBytes = proposedBytes(wantedBytes, cap);
    long bytes = Alignment.up(Math.min(proposedBytes, cap), granularityBytes);
    Region region = request(bytes);
    while (region == null && (bytes = backedOff(bytes)) >= leastBytes) {
      region = request(bytes);
    }
    if (region != null && options.growth() == BfcOptions.Growth.DOUBLING) {
      long next = proposedBytes == nextBytes ? doubled(proposedBytes) : proposedBytes;
      nextBytes = Math.min(next, options.maximumStepBytes());
    }
    return region;
  }

  /** How long a region would be for a request that may have one, were there no limit. */
  long proposedBytes(long wantedBytes) {
    return proposedBytes(wantedBytes, Alignment.down(Long.MAX_VALUE, granularityBytes));
  }

  private long proposedBytes(long wantedBytes, long cap) {
    long leastBytes = Alignment.up(wantedBytes, granularityBytes);
    return switch (options.growth()) {
      case WHOLE -> cap;
      case DOUBLING -> Math.max(leastBytes, doubledUntil(nextBytes, wantedBytes));
      case AS_REQUESTED, BY_PAGE -> leastBytes;
    };
  }

  /** A region of exactly {@code bytes}, in whole granules; null when limit or source have none. */
  @Nullable
  Region exactly(long bytes, long poolBytes) {
    return bytes > allowedBytes(poolBytes) ? null : request(Alignment.up(bytes, granularityBytes));
  }

  /** The longest region that limit and source allow. */
  long allowedBytes(long poolBytes) {
    return Alignment.down(Math.min(options.limitBytes() - poolBytes, source.maximumRegionBytes()), granularityBytes);
  }

  /** Notes that a region was given back: the next one is no longer than the first. */
  void shrunk() {
    nextBytes = Math.min(nextBytes, firstBytes);
  }

  private @Nullable Region request(long bytes) {
    Region region = source.allocate(bytes);
    if (region != null && (region.bytes() != bytes || !Alignment.isAligned(region.address(), Alignment.CHUNK_BYTES))) {
      source.release(region);
      throw new IllegalStateException("source broke its contract: askedBytes=%d got %s".formatted(bytes, region));
    }
    return region;
  }

  /** Nine tenths, in whole granules, and at least one granule less. */
  private long backedOff(long bytes) {
    long nineTenths = Alignment.up(bytes - bytes / 10, granularityBytes);
    return Math.min(nineTenths, bytes - granularityBytes);
  }

  private long doubledUntil(long startBytes, long wantedBytes) {
    long bytes = Math.max(startBytes, Alignment.CHUNK_BYTES);
    while (bytes < wantedBytes && bytes < options.maximumStepBytes()) {
      bytes = doubled(bytes);
    }
    return bytes;
  }

  private static long doubled(long bytes) {
    return bytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : bytes * 2;
  }
}
