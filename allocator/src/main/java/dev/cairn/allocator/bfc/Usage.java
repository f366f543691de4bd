package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;

/** The running figures of one allocator. Not safe for many threads. */
final class Usage {
  private final long limitBytes;
  private long allocationCount;
  private long liveCount;
  private long bytesInUse;
  private long requestedBytesInUse;
  private long peakBytesInUse;
  private long largestBytes;
  private long poolBytes;
  private long peakPoolBytes;

  Usage(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The id of the next grant. */
  long nextAllocationId() {
    return allocationCount;
  }

  void granted(long bytes, long requestedBytes) {
    allocationCount++;
    liveCount++;
    bytesInUse += bytes;
    requestedBytesInUse += requestedBytes;
    peakBytesInUse = Math.max(peakBytesInUse, bytesInUse);
    largestBytes = Math.max(largestBytes, bytes);
  }

  void freed(long bytes, long requestedBytes) {
    liveCount--;
    bytesInUse -= bytes;
    requestedBytesInUse -= requestedBytes;
  }

  void regionAdded(long bytes) {
    poolBytes += bytes;
    peakPoolBytes = Math.max(peakPoolBytes, poolBytes);
  }

  void regionReleased(long bytes) {
    poolBytes -= bytes;
  }

  long poolBytes() {
    return poolBytes;
  }

  long liveCount() {
    return liveCount;
  }

  AllocatorStats snapshot(long largestFreeBytes) {
    return new AllocatorStats(allocationCount, liveCount, bytesInUse, requestedBytesInUse, peakBytesInUse, largestBytes,
      limitBytes, poolBytes, peakPoolBytes, largestFreeBytes);
  }
}
