package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import java.util.Optional;

/** Memory that several values of a run lie in. The last of them that is released frees it. Not thread-safe. */
public final class SharedBlock {
  private final Allocator allocator;
  private final Block block;
  private int holders = 1;

  /** @param block with one holder, the caller */
  SharedBlock(Allocator allocator, Block block) {
    this.allocator = allocator;
    this.block = block;
  }

  void retain() {
    holders++;
  }

  void release() {
    if (--holders == 0) {
      allocator.free(block);
    }
  }

  long bytes() {
    return block.segment().byteSize();
  }

  /** The block, which is the caller's from then on; empty when other values lie in it. */
  Optional<Block> handOver() {
    if (holders != 1) {
      return Optional.empty();
    }
    holders = 0;
    return Optional.of(block);
  }
}
