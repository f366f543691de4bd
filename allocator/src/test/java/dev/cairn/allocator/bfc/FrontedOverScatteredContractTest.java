package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorContract;
import dev.cairn.allocator.source.FakeSubAllocator;

class FrontedOverScatteredContractTest extends AllocatorContract {
  @Override
  protected Allocator newAllocator() {
    return new FrontedAllocator(FakeSubAllocator.scattered(Long.MAX_VALUE),
      BfcOptions.DEFAULT.withLimitBytes(LIMIT_BYTES));
  }
}
