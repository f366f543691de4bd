package dev.cairn.allocator.storage;

import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import org.jspecify.annotations.Nullable;

/** Another source that says it is of another space: for spaces that tests have no memory of. */
record SourceInSpace(SubAllocator upstream, MemorySpace space) implements SubAllocator {
  @Override
  public long granularityBytes() {
    return upstream.granularityBytes();
  }

  @Override
  public long maximumRegionBytes() {
    return upstream.maximumRegionBytes();
  }

  @Override
  public boolean supportsCoalescing() {
    return upstream.supportsCoalescing();
  }

  @Override
  public @Nullable Region allocate(long bytes) {
    return upstream.allocate(bytes);
  }

  @Override
  public void release(Region region) {
    upstream.release(region);
  }
}
