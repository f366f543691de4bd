package dev.cairn.allocator.source;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.MemorySpace;
import org.jspecify.annotations.Nullable;

/**
 * A source of addresses with no memory behind them, from 2^40 upward and never the same twice: for tests and for
 * planning, where terabytes cost nothing. Poses as device memory. Safe for use by many threads.
 *
 * <p>The idea is that of XLA's own allocator tests.
 */
public final class FakeSubAllocator implements SubAllocator {
  /** The place at which the first region begins. */
  public static final long FIRST_ADDRESS = 1L << 40;
  /** Left between regions that must not adjoin. */
  private static final long GAP_BYTES = 4096;

  private final long capacityBytes;
  private final boolean contiguous;
  private final HeldRegions held = new HeldRegions();
  private long nextAddress = FIRST_ADDRESS;

  private FakeSubAllocator(long capacityBytes, boolean contiguous) {
    this.capacityBytes = capacityBytes;
    this.contiguous = contiguous;
  }

  /** Regions lie apart and never merge, as those of a driver's plain allocation call. */
  public static FakeSubAllocator scattered(long capacityBytes) {
    return new FakeSubAllocator(capacityBytes, false);
  }

  /** Each region begins where the one before ended, and they merge, as in one range of reserved virtual addresses. */
  public static FakeSubAllocator contiguous(long capacityBytes) {
    return new FakeSubAllocator(capacityBytes, true);
  }

  @Override
  public MemorySpace space() {
    return MemorySpace.device(0);
  }

  @Override
  public long maximumRegionBytes() {
    return Alignment.down(capacityBytes, granularityBytes());
  }

  @Override
  public boolean supportsCoalescing() {
    return contiguous;
  }

  @Override
  public synchronized @Nullable Region allocate(long bytes) {
    SubAllocator.requireMultiple(bytes, granularityBytes());
    if (bytes > capacityBytes - held.bytes() || bytes > Long.MAX_VALUE - GAP_BYTES - nextAddress) {
      return null;
    }
    Region region = Region.withoutHostAccess(nextAddress, bytes);
    nextAddress += bytes + (contiguous ? 0 : GAP_BYTES);
    return held.hold(region, () -> {});
  }

  @Override
  public synchronized void release(Region region) {
    held.release(region);
  }

  /** Bytes now given out. */
  public long heldBytes() {
    return held.bytes();
  }

  /** Regions now given out. */
  public int heldRegions() {
    return held.count();
  }
}
