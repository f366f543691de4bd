package dev.cairn.allocator.bfc;

import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.SubAllocator;

/** Runs the suites over a source that allocates each region by a plain call of the driver. */
class ConformanceOverScatteredTest extends ConformanceSuites {
  @Override
  public SubAllocator newSource() {
    return FakeSubAllocator.scattered(Long.MAX_VALUE);
  }
}
