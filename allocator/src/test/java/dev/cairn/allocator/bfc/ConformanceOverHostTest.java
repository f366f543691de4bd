package dev.cairn.allocator.bfc;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.SubAllocator;

/** Over real memory, with an eighth of the bytes where a case would have gigabytes. */
class ConformanceOverHostTest extends ConformanceSuites {
  @Override
  public SubAllocator newSource() {
    return new NettySubAllocator();
  }

  @Override
  public long scaled(long bytes) {
    return bytes / 8;
  }
}
