package dev.cairn.allocator.stack;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorContract;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.layer.RetryOptions;
import dev.cairn.allocator.source.FakeSubAllocator;

class TenantOfStackContractTest extends AllocatorContract {
  @Override
  protected Allocator newAllocator() {
    return AllocatorStack.over(FakeSubAllocator.scattered(1L << 40), BfcOptions.DEFAULT.withLimitBytes(LIMIT_BYTES))
      .retrying(RetryOptions.DEFAULT)
      .sharing()
      .build()
      .tenants()
      .tenant("only", LIMIT_BYTES);
  }
}
