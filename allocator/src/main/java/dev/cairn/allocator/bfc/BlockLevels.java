package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Gauge;

/**
 * How much of some blocks is held, and the most that was. Not safe for many threads.
 *
 * <p>What is written is the room below each peak: a grant that makes no peak, which is nearly every one, is told by the
 * sign of one subtraction.
 */
class BlockLevels {
  private long roomCount;
  private long roomBytes;
  private long roomRequested;
  private long peakCount;
  private long peakBytes;
  private long peakRequested;

  final void raise(long count, long bytes, long requested) {
    roomCount -= count;
    roomBytes -= bytes;
    roomRequested -= requested;
    if (roomCount < 0) {
      peakCount -= roomCount;
      roomCount = 0;
    }
    if (roomBytes < 0) {
      peakBytes -= roomBytes;
      roomBytes = 0;
    }
    if (roomRequested < 0) {
      peakRequested -= roomRequested;
      roomRequested = 0;
    }
  }

  final void lower(long count, long bytes, long requested) {
    roomCount += count;
    roomBytes += bytes;
    roomRequested += requested;
  }

  final long count() {
    return peakCount - roomCount;
  }

  final long bytes() {
    return peakBytes - roomBytes;
  }

  final long requested() {
    return peakRequested - roomRequested;
  }

  /** Lets the peaks be what there is now. */
  void clear() {
    peakCount = count();
    peakBytes = bytes();
    peakRequested = requested();
    roomCount = 0;
    roomBytes = 0;
    roomRequested = 0;
  }

  final Gauge countGauge(long total) {
    return new Gauge(count(), peakCount, total);
  }

  final Gauge bytesGauge(long total) {
    return new Gauge(bytes(), peakBytes, total);
  }

  final Gauge requestedGauge(long total) {
    return new Gauge(requested(), peakRequested, total);
  }
}
