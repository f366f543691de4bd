package dev.cairn.allocator.source;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import org.jspecify.annotations.Nullable;

/**
 * Regions that are blocks of an allocator, so that an allocator that caches by length can stand before one that splits
 * and joins. A region's segment ends with the upstream's own region, not with the release: ending a segment takes
 * longer than a small array's operation. Safe for use by many threads. Does not own the allocator.
 */
public final class AllocatorSource implements SubAllocator {
  private static final Owner OWNER = Owner.of("storage");

  private final Allocator upstream;
  private final HeldRegions held = new HeldRegions();

  /** Over {@code upstream}, which outlives this source. */
  public AllocatorSource(Allocator upstream) {
    this.upstream = upstream;
  }

  @Override
  public MemorySpace space() {
    return upstream.space();
  }

  @Override
  public long maximumRegionBytes() {
    return NettySubAllocator.MAXIMUM_BYTES;
  }

  @Override
  public boolean supportsCoalescing() {
    return false;
  }

  /** When the upstream refuses, it is asked again after it has returned its idle regions. */
  @Override
  public @Nullable Region allocate(long bytes) {
    SubAllocator.requireMultiple(bytes, granularityBytes());
    Region region = bytes > maximumRegionBytes() ? null : tried(bytes);
    return region == null && bytes <= maximumRegionBytes() && upstream.trim() > 0 ? tried(bytes) : region;
  }

  private @Nullable Region tried(long bytes) {
    Block block;
    try {
      block = upstream.allocate(AllocationRequest.of(bytes, OWNER));
    } catch (OutOfMemory refused) {
      return null;
    }
    var region = space().isHostAccessible()
      ? new Region(block.address(), bytes, block.segment())
      : Region.withoutHostAccess(block.address(), bytes);
    return held.hold(region, () -> upstream.free(block));
  }

  @Override
  public void release(Region region) {
    held.release(region);
  }
}
