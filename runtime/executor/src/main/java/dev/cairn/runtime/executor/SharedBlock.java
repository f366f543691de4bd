package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Memory that several values of a run lie in. The last of them that is released frees it. Thread-safe. */
public final class SharedBlock {
  private final Allocator allocator;
  private final Block block;
  private final AtomicInteger holders = new AtomicInteger(1);

  /** @param block with one holder, the caller */
  SharedBlock(Allocator allocator, Block block) {
    this.allocator = allocator;
    this.block = block;
  }

  void retain() {
    holders.incrementAndGet();
  }

  void release() {
    if (holders.decrementAndGet() == 0) {
      allocator.free(block);
    }
  }

  long bytes() {
    return block.segment().byteSize();
  }

  /** The block, which is the caller's from then on; empty when other values lie in it. */
  Optional<Block> handOver() {
    return holders.compareAndSet(1, 0) ? Optional.of(block) : Optional.empty();
  }
}
