package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.RunningGauge;

/** The running figures of some blocks. Not safe for many threads. */
final class BlockGauges {
  final RunningGauge count = new RunningGauge();
  final RunningGauge bytes = new RunningGauge();
  final RunningGauge requestedBytes = new RunningGauge();

  void granted(Block block) {
    count.add(1);
    bytes.add(block.bytes());
    requestedBytes.add(block.requestedBytes());
  }

  void freed(Block block) {
    count.subtract(1);
    bytes.subtract(block.bytes());
    requestedBytes.subtract(block.requestedBytes());
  }

  /** Takes in the figures of a time that began when these stood still. */
  void append(BlockGauges later) {
    count.append(later.count);
    bytes.append(later.bytes);
    requestedBytes.append(later.requestedBytes);
  }

  void clear() {
    count.clear();
    bytes.clear();
    requestedBytes.clear();
  }

  AllocatorStats.Blocks blocks() {
    return new AllocatorStats.Blocks(count.gauge(), bytes.gauge(), requestedBytes.gauge());
  }
}
