package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Gauge;

/**
 * The most that was held of some blocks at a time. Not safe for many threads.
 *
 * <p>Given what was ever granted, what is held follows from a mark: how much may have been granted in all before there
 * is a new peak, which every free moves up. So a grant that makes no peak, which is nearly every one, writes nothing.
 */
class BlockPeaks {
  private long markCount;
  private long markBytes;
  private long markRequested;
  private long peakCount;
  private long peakBytes;
  private long peakRequested;

  /** So much was granted in all by now. */
  final void reach(long count, long bytes, long requested) {
    if (count > markCount) {
      peakCount += count - markCount;
      markCount = count;
    }
    if (bytes > markBytes) {
      peakBytes += bytes - markBytes;
      markBytes = bytes;
    }
    if (requested > markRequested) {
      peakRequested += requested - markRequested;
      markRequested = requested;
    }
  }

  final void freed(long count, long bytes, long requested) {
    markCount += count;
    markBytes += bytes;
    markRequested += requested;
  }

  /** How many are held, of those that were granted. */
  final long count(long granted) {
    return granted - markCount + peakCount;
  }

  /** How many bytes are held, of those that were granted. */
  final long bytes(long granted) {
    return granted - markBytes + peakBytes;
  }

  /** How many bytes that were asked for are held, of those that were granted. */
  final long requested(long granted) {
    return granted - markRequested + peakRequested;
  }

  /** Lets the peaks be what is held now; what was granted counts from 0 again. */
  final void clear(long grantedCount, long grantedBytes, long grantedRequested) {
    peakCount = count(grantedCount);
    peakBytes = bytes(grantedBytes);
    peakRequested = requested(grantedRequested);
    markCount = 0;
    markBytes = 0;
    markRequested = 0;
  }

  final AllocatorStats.Blocks blocks(long grantedCount, long grantedBytes, long grantedRequested) {
    return new AllocatorStats.Blocks(new Gauge(count(grantedCount), peakCount, grantedCount),
      new Gauge(bytes(grantedBytes), peakBytes, grantedBytes),
      new Gauge(requested(grantedRequested), peakRequested, grantedRequested));
  }
}
