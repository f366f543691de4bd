package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Gauge;

/**
 * What was granted to holders and what they gave back, since the start; what is held is the difference. One stripe's
 * part may be negative: a block need not come back where it was granted. Not safe for many threads.
 */
final class Flow {
  private long grantedCount;
  private long grantedBytes;
  private long grantedRequested;
  private long freedCount;
  private long freedBytes;
  private long freedRequested;

  void granted(long bytes, long requested) {
    grantedCount++;
    grantedBytes += bytes;
    grantedRequested += requested;
  }

  void freed(long bytes, long requested) {
    freedCount++;
    freedBytes += bytes;
    freedRequested += requested;
  }

  void add(Flow other) {
    grantedCount += other.grantedCount;
    grantedBytes += other.grantedBytes;
    grantedRequested += other.grantedRequested;
    freedCount += other.freedCount;
    freedBytes += other.freedBytes;
    freedRequested += other.freedRequested;
  }

  long count() {
    return grantedCount - freedCount;
  }

  long bytes() {
    return grantedBytes - freedBytes;
  }

  long requestedBytes() {
    return grantedRequested - freedRequested;
  }

  /** The figures since {@code cleared}, with peaks that are known elsewhere. */
  AllocatorStats.Blocks blocks(Flow cleared, AllocatorStats.Blocks peaks) {
    return new AllocatorStats.Blocks(
      new Gauge(count(), peaks.count().peak(), grantedCount - cleared.grantedCount),
      new Gauge(bytes(), peaks.bytes().peak(), grantedBytes - cleared.grantedBytes),
      new Gauge(requestedBytes(), peaks.requestedBytes().peak(), grantedRequested - cleared.grantedRequested));
  }
}
