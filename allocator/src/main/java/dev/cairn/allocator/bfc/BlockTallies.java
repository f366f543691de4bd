package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;

/** The running figures of some blocks. Not safe for many threads. */
final class BlockTallies {
  final Tally count = new Tally();
  final Tally bytes = new Tally();
  final Tally requestedBytes = new Tally();

  void granted(long grantedBytes, long askedBytes) {
    count.add(1);
    bytes.add(grantedBytes);
    requestedBytes.add(askedBytes);
  }

  void freed(long freedBytes, long askedBytes) {
    count.remove(1);
    bytes.remove(freedBytes);
    requestedBytes.remove(askedBytes);
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
