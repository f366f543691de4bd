package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;

/** The running figures of the blocks of one size: what was ever granted, is held, and was at most. */
final class BlockTallies extends BlockPeaks {
  private long grantedCount;
  private long grantedBytes;
  private long grantedRequested;

  void granted(long count, long bytes, long requested) {
    grantedCount += count;
    grantedBytes += bytes;
    grantedRequested += requested;
    reach(grantedCount, grantedBytes, grantedRequested);
  }

  long count() {
    return count(grantedCount);
  }

  long bytes() {
    return bytes(grantedBytes);
  }

  long requested() {
    return requested(grantedRequested);
  }

  /** Tells the peaks of these blocks and those of the {@code others} together what was granted of both. */
  void reach(BlockTallies others, BlockPeaks ofBoth) {
    ofBoth.reach(grantedCount + others.grantedCount, grantedBytes + others.grantedBytes,
      grantedRequested + others.grantedRequested);
  }

  /** Counts all that there is as freed, and as much as is given here as granted. */
  void hold(long count, long bytes, long requested) {
    freed(count(), bytes(), requested());
    granted(count, bytes, requested);
  }

  /** Totals and the peaks begin anew, from what there is now. */
  void clear() {
    clear(grantedCount, grantedBytes, grantedRequested);
    grantedCount = 0;
    grantedBytes = 0;
    grantedRequested = 0;
  }

  AllocatorStats.Blocks blocks() {
    return blocks(grantedCount, grantedBytes, grantedRequested);
  }

  /** The figures of all blocks, of which some are here and the others there. */
  AllocatorStats.Blocks blocksWith(BlockTallies others, BlockPeaks ofBoth) {
    return ofBoth.blocks(grantedCount + others.grantedCount, grantedBytes + others.grantedBytes,
      grantedRequested + others.grantedRequested);
  }

  /** Lets the peaks of both together begin anew; before each of them does. */
  void clearWith(BlockTallies others, BlockPeaks ofBoth) {
    ofBoth.clear(grantedCount + others.grantedCount, grantedBytes + others.grantedBytes,
      grantedRequested + others.grantedRequested);
  }
}
