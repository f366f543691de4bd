package dev.cairn.allocator;

/** Running statistics of all, small and large blocks. Not thread-safe. */
public final class SizedGauges {
  private final BlockGauges all = new BlockGauges();
  private final BlockGauges small = new BlockGauges();
  private final BlockGauges large = new BlockGauges();
  private long largestBytes;

  public void granted(long bytes, long requestedBytes) {
    all.granted(bytes, requestedBytes);
    sized(bytes).granted(bytes, requestedBytes);
    if (bytes > largestBytes) {
      largestBytes = bytes;
    }
  }

  public void freed(long bytes, long requestedBytes) {
    all.freed(bytes, requestedBytes);
    sized(bytes).freed(bytes, requestedBytes);
  }

  private BlockGauges sized(long bytes) {
    return bytes <= AllocatorStats.SMALL_BYTES ? small : large;
  }

  /** Resets totals, peaks and the largest block to the blocks in use now. */
  public void clear() {
    all.clear();
    small.clear();
    large.clear();
    largestBytes = 0;
  }

  /** Blocks of every size. */
  public BlockGauges all() {
    return all;
  }

  /** Blocks of at most {@link AllocatorStats#SMALL_BYTES}. */
  public BlockGauges small() {
    return small;
  }

  /** Larger blocks. */
  public BlockGauges large() {
    return large;
  }

  /** The largest block granted since the start or the last reset. */
  public long largestBytes() {
    return largestBytes;
  }
}
