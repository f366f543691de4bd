package dev.cairn.allocator;

/**
 * The figures of an allocator at one moment. "In use" counts whole chunks, with their slack.
 *
 * @param allocationCount grants since the start
 * @param liveCount blocks now held
 * @param bytesInUse bytes of the blocks now held
 * @param requestedBytesInUse what the holders of those asked for
 * @param peakBytesInUse the most that {@code bytesInUse} ever was
 * @param largestBytes the largest block ever granted
 * @param limitBytes the most that the pool may hold
 * @param poolBytes bytes of all regions now held from the source
 * @param peakPoolBytes the most that {@code poolBytes} ever was
 * @param largestFreeBytes the largest free chunk; 0 if there is none
 */
public record AllocatorStats(long allocationCount, long liveCount, long bytesInUse, long requestedBytesInUse,
  long peakBytesInUse, long largestBytes, long limitBytes, long poolBytes, long peakPoolBytes, long largestFreeBytes) {

  /** Bytes of the pool that no block holds. */
  public long freeBytes() {
    return poolBytes - bytesInUse;
  }

  /** Bytes that may yet be got from the source. */
  public long unreservedBytes() {
    return limitBytes - poolBytes;
  }

  /** Bytes held that nobody asked for. */
  public long slackBytes() {
    return bytesInUse - requestedBytesInUse;
  }

  /** The part of the free bytes that is not in the largest free chunk, 0 to 1; 0 where nothing is free. */
  public double fragmentation() {
    long free = freeBytes();
    return free == 0 ? 0 : (double) (free - largestFreeBytes) / free;
  }
}
