package dev.cairn.allocator;

/**
 * The statistics of an allocator at one moment. "In use" counts whole chunks, with their slack. They cover what
 * TensorFlow, XLA, ONNX Runtime, PyTorch and RMM report; docs/allocator.md has a table of their names.
 *
 * @param all blocks of every size
 * @param small blocks of chunks of at most {@link #SMALL_BYTES}
 * @param large blocks of larger chunks
 * @param pool bytes of all regions from the source, including reserved blocks; its total adds up all growth
 * @param regions how many regions there are; its total counts all regions ever taken
 * @param freeSplits free chunks that share a region with blocks
 * @param freeSplitBytes bytes of these chunks
 * @param bypass bytes of blocks with their own region, from {@link Allocator#reserve}
 * @param limitBytes the most that the pool may hold
 * @param largestBytes the largest chunk granted since the start or the last reset
 * @param largestFreeBytes the largest free chunk; 0 if there is none
 * @param timeHeldBytes free bytes whose last use may still be under way
 * @param refusalCount requests that failed with {@link OutOfMemory}
 * @param reserveCount grants by {@link Allocator#reserve}
 * @param movedBytes bytes that compaction copied, without slack
 */
public record AllocatorStats(Blocks all, Blocks small, Blocks large, Gauge pool, Gauge regions, Gauge freeSplits,
  Gauge freeSplitBytes, Gauge bypass, long limitBytes, long largestBytes, long largestFreeBytes, long timeHeldBytes,
  long refusalCount, long reserveCount, long movedBytes) {
  /** The largest chunk that counts as small: 1 MiB, as in PyTorch. */
  public static final long SMALL_BYTES = 1L << 20;

  /**
   * The statistics of some blocks.
   *
   * @param count how many blocks
   * @param bytes bytes of their chunks
   * @param requestedBytes the bytes that callers requested for these blocks
   */
  public record Blocks(Gauge count, Gauge bytes, Gauge requestedBytes) {
    /** None yet. */
    public static final Blocks NONE = new Blocks(Gauge.ZERO, Gauge.ZERO, Gauge.ZERO);
  }

  /** Allocations since the start or the last reset. */
  public long allocationCount() {
    return all.count.total();
  }

  /** Blocks in use now. */
  public long liveCount() {
    return all.count.current();
  }

  /** Bytes of the blocks in use now. */
  public long bytesInUse() {
    return all.bytes.current();
  }

  /** Bytes requested for the blocks in use now. */
  public long requestedBytesInUse() {
    return all.requestedBytes.current();
  }

  /** The peak of {@link #bytesInUse}. */
  public long peakBytesInUse() {
    return all.bytes.peak();
  }

  /** Bytes of all regions from the source now. */
  public long poolBytes() {
    return pool.current();
  }

  /** The peak of {@link #poolBytes}. */
  public long peakPoolBytes() {
    return pool.peak();
  }

  /** Bytes of the pool that no block uses. */
  public long freeBytes() {
    return poolBytes() - bytesInUse();
  }

  /** Bytes that the pool may still take from the source. */
  public long unreservedBytes() {
    return limitBytes - poolBytes();
  }

  /** Bytes in use beyond the requested bytes. */
  public long slackBytes() {
    return bytesInUse() - requestedBytesInUse();
  }

  /** The fraction of the free bytes outside the largest free chunk, 0 to 1; 0 if nothing is free. */
  public double fragmentation() {
    long free = freeBytes();
    return free == 0 ? 0 : (double) (free - largestFreeBytes) / free;
  }
}
