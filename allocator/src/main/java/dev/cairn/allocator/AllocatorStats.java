package dev.cairn.allocator;

/**
 * The figures of an allocator at one moment. "In use" counts whole chunks, with their slack. Together they answer what
 * TensorFlow, XLA, ONNX Runtime, PyTorch and RMM report of theirs; docs/allocator.md has the table of names.
 *
 * @param all blocks of every size
 * @param small blocks of chunks of at most {@link #SMALL_BYTES}
 * @param large blocks of larger chunks
 * @param pool bytes of the regions held from the source, those of reserved blocks included; its total counts extensions
 * @param regions how many regions those are; its total counts extensions, total less current those given back
 * @param freeSplits free chunks that share a region with blocks
 * @param freeSplitBytes the bytes of those
 * @param bypass bytes of blocks that have a region of their own, by {@link Allocator#reserve}
 * @param limitBytes the most that the pool may hold
 * @param largestBytes the largest chunk granted since the start or the clearing
 * @param largestFreeBytes the largest free chunk; 0 if there is none
 * @param timeHeldBytes free bytes whose last use may still be under way
 * @param refusalCount requests that ended in {@link OutOfMemory}
 * @param reserveCount grants by {@link Allocator#reserve}
 */
public record AllocatorStats(Blocks all, Blocks small, Blocks large, Gauge pool, Gauge regions, Gauge freeSplits,
  Gauge freeSplitBytes, Gauge bypass, long limitBytes, long largestBytes, long largestFreeBytes, long timeHeldBytes,
  long refusalCount, long reserveCount) {
  /** The largest chunk that counts as small: 1 MiB, as in PyTorch. */
  public static final long SMALL_BYTES = 1L << 20;

  /**
   * The figures of some blocks.
   *
   * @param count how many
   * @param bytes bytes of their chunks
   * @param requestedBytes what their holders asked for
   */
  public record Blocks(Gauge count, Gauge bytes, Gauge requestedBytes) {
    /** None yet. */
    public static final Blocks NONE = new Blocks(Gauge.ZERO, Gauge.ZERO, Gauge.ZERO);
  }

  /** Grants since the start or the clearing. */
  public long allocationCount() {
    return all.count.total();
  }

  /** Blocks now held. */
  public long liveCount() {
    return all.count.current();
  }

  /** Bytes of the blocks now held. */
  public long bytesInUse() {
    return all.bytes.current();
  }

  /** What the holders of those asked for. */
  public long requestedBytesInUse() {
    return all.requestedBytes.current();
  }

  /** The most that {@link #bytesInUse} was. */
  public long peakBytesInUse() {
    return all.bytes.peak();
  }

  /** Bytes of all regions now held from the source. */
  public long poolBytes() {
    return pool.current();
  }

  /** The most that {@link #poolBytes} was. */
  public long peakPoolBytes() {
    return pool.peak();
  }

  /** Bytes of the pool that no block holds. */
  public long freeBytes() {
    return poolBytes() - bytesInUse();
  }

  /** Bytes that may yet be got from the source. */
  public long unreservedBytes() {
    return limitBytes - poolBytes();
  }

  /** Bytes held that nobody asked for. */
  public long slackBytes() {
    return bytesInUse() - requestedBytesInUse();
  }

  /** The part of the free bytes that is not in the largest free chunk, 0 to 1; 0 where nothing is free. */
  public double fragmentation() {
    long free = freeBytes();
    return free == 0 ? 0 : (double) (free - largestFreeBytes) / free;
  }
}
