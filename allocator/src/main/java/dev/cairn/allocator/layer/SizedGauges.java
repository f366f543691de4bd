package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;

/** The running figures of blocks of every size, and of small and of large ones. Not safe for many threads. */
final class SizedGauges {
  final BlockGauges all = new BlockGauges();
  final BlockGauges small = new BlockGauges();
  final BlockGauges large = new BlockGauges();
  private long largestBytes;

  void granted(Block block) {
    all.granted(block);
    sized(block).granted(block);
    largestBytes = Math.max(largestBytes, block.bytes());
  }

  void freed(Block block) {
    all.freed(block);
    sized(block).freed(block);
  }

  void clear() {
    all.clear();
    small.clear();
    large.clear();
    largestBytes = 0;
  }

  long largestBytes() {
    return largestBytes;
  }

  private BlockGauges sized(Block block) {
    return block.bytes() <= AllocatorStats.SMALL_BYTES ? small : large;
  }
}
