package dev.cairn.allocator.layer;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorContract;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;

class RetryingAllocatorContractTest extends AllocatorContract {
  @Override
  protected Allocator newAllocator() {
    Allocator upstream = new BfcAllocator(FakeSubAllocator.scattered(1L << 40),
      BfcOptions.DEFAULT.withLimitBytes(LIMIT_BYTES));
    return new RetryingAllocator(upstream, RetryOptions.DEFAULT);
  }
}
