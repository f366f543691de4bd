package dev.cairn.allocator.bfc;

import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.SubAllocator;

/** As over a driver's plain allocation call. */
class ConformanceOverScatteredTest extends ConformanceSuites {
  @Override
  public SubAllocator newSource() {
    return FakeSubAllocator.scattered(Long.MAX_VALUE);
  }
}
