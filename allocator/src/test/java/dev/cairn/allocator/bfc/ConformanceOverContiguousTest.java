package dev.cairn.allocator.bfc;

import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.SubAllocator;

/** Runs the suites over a source that has one range of reserved virtual addresses. */
class ConformanceOverContiguousTest extends ConformanceSuites {
  @Override
  public SubAllocator newSource() {
    return FakeSubAllocator.contiguous(Long.MAX_VALUE);
  }
}
