package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorContract;
import dev.cairn.allocator.source.FakeSubAllocator;

class BfcOverContiguousContractTest extends AllocatorContract {
  @Override
  protected Allocator newAllocator() {
    return new BfcAllocator(FakeSubAllocator.contiguous(Long.MAX_VALUE),
      BfcOptions.DEFAULT.withLimitBytes(LIMIT_BYTES));
  }
}
