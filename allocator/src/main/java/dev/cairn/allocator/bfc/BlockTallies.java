package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;

/** The running figures of the blocks of one size: levels, and how much was ever granted. Not safe for many threads. */
final class BlockTallies extends BlockLevels {
  private long grantedCount;
  private long grantedBytes;
  private long grantedRequested;

  void granted(long bytes, long requested) {
    grantedCount++;
    grantedBytes += bytes;
    grantedRequested += requested;
    raise(1, bytes, requested);
  }

  void freed(long bytes, long requested) {
    lower(1, bytes, requested);
  }

  /** Counts all that there is as freed, and as much as is given here as granted. */
  void hold(long count, long bytes, long requested) {
    lower(count(), bytes(), requested());
    grantedCount += count;
    grantedBytes += bytes;
    grantedRequested += requested;
    raise(count, bytes, requested);
  }

  /** Totals and the peaks begin anew, from what there is now. */
  @Override
  void clear() {
    super.clear();
    grantedCount = 0;
    grantedBytes = 0;
    grantedRequested = 0;
  }

  AllocatorStats.Blocks blocks() {
    return blocks(this, grantedCount, grantedBytes, grantedRequested);
  }

  /** The figures of all blocks, of which some are here and the others there. */
  AllocatorStats.Blocks blocksWith(BlockTallies others, BlockLevels all) {
    return blocks(all, grantedCount + others.grantedCount, grantedBytes + others.grantedBytes,
      grantedRequested + others.grantedRequested);
  }

  private static AllocatorStats.Blocks blocks(BlockLevels levels, long count, long bytes, long requested) {
    return new AllocatorStats.Blocks(levels.countGauge(count), levels.bytesGauge(bytes),
      levels.requestedGauge(requested));
  }
}
