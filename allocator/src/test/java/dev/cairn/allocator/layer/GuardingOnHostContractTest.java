package dev.cairn.allocator.layer;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorContract;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;

class GuardingOnHostContractTest extends AllocatorContract {
  @Override
  protected Allocator newAllocator() {
    Allocator upstream = new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT.withLimitBytes(LIMIT_BYTES));
    return new GuardingAllocator(upstream);
  }
}
