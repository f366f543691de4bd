package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorContract;
import dev.cairn.allocator.source.NettySubAllocator;

class FrontedOverNettyContractTest extends AllocatorContract {
  @Override
  protected Allocator newAllocator() {
    return new FrontedAllocator(new NettySubAllocator(), BfcOptions.DEFAULT.withLimitBytes(LIMIT_BYTES));
  }
}
