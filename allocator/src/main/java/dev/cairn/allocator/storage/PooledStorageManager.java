package dev.cairn.allocator.storage;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.source.SubAllocator;
import java.util.function.LongSupplier;

/**
 * Freed memory waits in the pool for a request that the rounding brings to the same length: freed last, used first. On
 * pressure the whole pool goes back to the source, once, and the source is asked again; but not for a request that the
 * limit rules out anyway, and not regions that a stream may still use. Safe for use by many threads. MXNet's pooled
 * storage managers.
 *
 * <p>With a {@link SharedCounter} each free is stamped, and requests may demand memory that was freed in time. Stamped
 * memory stays in the pool until {@link #passSafeFrontier} says that its time has passed: a source need not wait for
 * streams. Without a counter there is no time, and requests with a time are refused.
 */
public final class PooledStorageManager extends RegionPerBlock {
  private final boolean timed;

  /** Over {@code source}, without a listener and without a clock. */
  public PooledStorageManager(SubAllocator source, Rounding rounding, StorageOptions options) {
    this(source, rounding, options, AllocationListener.silent());
  }

  /** The same with a listener. */
  public PooledStorageManager(SubAllocator source, Rounding rounding, StorageOptions options,
    AllocationListener listener) {
    this(new Holdings(source, options, listener, () -> 0, System::nanoTime), rounding, false);
  }

  /** The same with a listener and a time. */
  public PooledStorageManager(SubAllocator source, Rounding rounding, StorageOptions options,
    AllocationListener listener, SharedCounter counter) {
    this(new Holdings(source, options, listener, counter::next, System::nanoTime), rounding, true);
  }

  private PooledStorageManager(Holdings holdings, Rounding rounding, boolean timed) {
    super(holdings, rounding);
    this.timed = timed;
  }

  /** One whose idleness is measured by {@code nanoTime}. */
  static PooledStorageManager byClock(SubAllocator source, Rounding rounding, StorageOptions options,
    LongSupplier nanoTime) {
    AllocationListener silent = AllocationListener.silent();
    return new PooledStorageManager(new Holdings(source, options, silent, () -> 0, nanoTime), rounding, false);
  }

  /**
   * Says that all work issued before {@code time} is done: memory that was freed before then is free for all. An
   * earlier time than a previous one changes nothing.
   *
   * @throws IllegalStateException when there is no counter that gives the time, or when closed
   */
  public void passSafeFrontier(long time) {
    if (!timed) {
      throw new IllegalStateException("pool has no counter: space=%s time=%d".formatted(space(), time));
    }
    lock.lock();
    try {
      requireOpen();
      holdings.idle.passed(time);
    } finally {
      lock.unlock();
    }
  }

  @Override
  void requireServed(AllocationRequest request) {
    if (!timed && request.freedBefore() != AllocationRequest.ANY_TIME) {
      throw new IllegalArgumentException("pool has no counter that a time could mean: " + request);
    }
  }

  @Override
  boolean pools() {
    return true;
  }
}
