package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Gauge;

/**
 * The running figures of some blocks. Not safe for many threads.
 *
 * <p>What is freed is counted by itself: current is the difference, and a grant or free writes each quantity once.
 */
final class BlockTallies {
  private long grantedCount;
  private long grantedBytes;
  private long grantedRequested;
  private long freedCount;
  private long freedBytes;
  private long freedRequested;
  private long peakCount;
  private long peakBytes;
  private long peakRequested;
  // What the totals were when the figures were cleared.
  private long clearedCount;
  private long clearedBytes;
  private long clearedRequested;

  void granted(long bytes, long requested) {
    grantedCount++;
    grantedBytes += bytes;
    grantedRequested += requested;
    peakCount = Math.max(peakCount, count());
    peakBytes = Math.max(peakBytes, bytes());
    peakRequested = Math.max(peakRequested, grantedRequested - freedRequested);
  }

  void freed(long bytes, long requested) {
    freedCount++;
    freedBytes += bytes;
    freedRequested += requested;
  }

  /** Counts all that there is as freed, and as much as is given here as granted. */
  void hold(long count, long bytes, long requested) {
    freedCount = grantedCount;
    freedBytes = grantedBytes;
    freedRequested = grantedRequested;
    grantedCount += count - 1;
    granted(bytes, requested);
  }

  long count() {
    return grantedCount - freedCount;
  }

  long bytes() {
    return grantedBytes - freedBytes;
  }

  void clear() {
    peakCount = count();
    peakBytes = bytes();
    peakRequested = grantedRequested - freedRequested;
    clearedCount = grantedCount;
    clearedBytes = grantedBytes;
    clearedRequested = grantedRequested;
  }

  AllocatorStats.Blocks blocks() {
    return new AllocatorStats.Blocks(new Gauge(count(), peakCount, grantedCount - clearedCount),
      new Gauge(bytes(), peakBytes, grantedBytes - clearedBytes),
      new Gauge(grantedRequested - freedRequested, peakRequested, grantedRequested - clearedRequested));
  }
}
