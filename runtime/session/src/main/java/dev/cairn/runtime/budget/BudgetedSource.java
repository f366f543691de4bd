package dev.cairn.runtime.budget;

import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import org.jspecify.annotations.Nullable;

/** A source whose regions count in a budget: a region that the budget has no room for is refused. Thread-safe. */
record BudgetedSource(SubAllocator source, MemoryBudget budget) implements SubAllocator {
  @Override
  public MemorySpace space() {
    return source.space();
  }

  @Override
  public long granularityBytes() {
    return source.granularityBytes();
  }

  @Override
  public long maximumRegionBytes() {
    return source.maximumRegionBytes();
  }

  @Override
  public boolean supportsCoalescing() {
    return source.supportsCoalescing();
  }

  @Override
  public @Nullable Region allocate(long bytes) {
    SubAllocator.requireMultiple(bytes, granularityBytes());
    if (!budget.take(bytes)) {
      return null;
    }
    Region region = null;
    try {
      region = source.allocate(bytes);
      return region;
    } finally {
      if (region == null) {
        budget.giveBack(bytes);
      }
    }
  }

  @Override
  public void release(Region region) {
    source.release(region);
    budget.giveBack(region.bytes());
  }
}
