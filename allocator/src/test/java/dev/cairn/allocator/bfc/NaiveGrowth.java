package dev.cairn.allocator.bfc;

import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import org.jspecify.annotations.Nullable;

/** How long the next region is, written down as plainly as can be: a part of {@link NaiveBfc}. */
final class NaiveGrowth {
  private final SubAllocator source;
  private final BfcOptions options;
  private final long granule;
  private long next;

  NaiveGrowth(SubAllocator source, BfcOptions options) {
    this.source = source;
    this.options = options;
    this.granule = source.granularityBytes();
    this.next = first();
  }

  private long first() {
    return Math.min(options.firstRegionBytes(), options.limitBytes());
  }

  private long inGranules(long bytes) {
    return (bytes + granule - 1) / granule * granule;
  }

  long allowed(long pool) {
    return Math.min(options.limitBytes() - pool, source.maximumRegionBytes()) / granule * granule;
  }

  @Nullable
  Region exactly(long bytes, long pool) {
    return bytes > allowed(pool) ? null : source.allocate(inGranules(bytes));
  }

  @Nullable
  Region grow(long wanted, long pool) {
    long available = allowed(pool);
    if (wanted > available) {
      return null;
    }
    long least = inGranules(wanted);
    long proposed = switch (options.growth()) {
      case WHOLE -> available;
      case DOUBLING -> Math.max(least, doubled(wanted));
      case AS_REQUESTED, BY_PAGE -> least;
    };
    long bytes = inGranules(Math.min(proposed, available));
    Region region = source.allocate(bytes);
    while (region == null) {
      long fewer = inGranules(bytes - bytes / 10);
      bytes = fewer < bytes ? fewer : bytes - granule;
      if (bytes < least) {
        return null;
      }
      region = source.allocate(bytes);
    }
    next = Math.min(options.maximumStepBytes(), proposed == next ? 2 * proposed : proposed);
    return region;
  }

  private long doubled(long wanted) {
    long bytes = Math.max(256, next);
    while (bytes < wanted && bytes < options.maximumStepBytes()) {
      bytes *= 2;
    }
    return bytes;
  }

  void shrunk() {
    next = Math.min(next, first());
  }
}
