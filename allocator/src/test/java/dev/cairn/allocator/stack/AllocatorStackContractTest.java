package dev.cairn.allocator.stack;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorContract;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.layer.RetryOptions;
import dev.cairn.allocator.layer.TrimSchedule;
import dev.cairn.allocator.source.NettySubAllocator;
import java.time.Duration;

class AllocatorStackContractTest extends AllocatorContract {
  @Override
  protected Allocator newAllocator() {
    return AllocatorStack.over(new NettySubAllocator(), BfcOptions.DEFAULT.withLimitBytes(LIMIT_BYTES))
      .guarding()
      .retrying(RetryOptions.DEFAULT)
      .trimming(new TrimSchedule(Duration.ofDays(1), TrimPolicy.EVERYTHING))
      .relieving(_ -> false)
      .listening(AllocationListener.silent())
      .build()
      .allocator();
  }
}
