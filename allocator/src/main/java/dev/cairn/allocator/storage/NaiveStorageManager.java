package dev.cairn.allocator.storage;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.source.SubAllocator;

/**
 * Every request goes to the source, and so does every free, which fails when the source does: the block is then still
 * held. Slow where the source is; a wrong use of memory shows here first, for nothing is used twice. The limit is the
 * only rule. Memory fresh from the source meets every demand on time. Safe for use by many threads. MXNet's naive
 * storage manager.
 */
public final class NaiveStorageManager extends RegionPerBlock {
  /** Over {@code source}, holding at most {@code limitBytes}. */
  public NaiveStorageManager(SubAllocator source, long limitBytes) {
    this(source, limitBytes, AllocationListener.silent());
  }

  /** The same with a listener. */
  public NaiveStorageManager(SubAllocator source, long limitBytes, AllocationListener listener) {
    super(new Holdings(source, StorageOptions.UNLIMITED.withLimitBytes(limitBytes), listener, () -> 0,
      System::nanoTime), Rounding.multipleOf(Alignment.CHUNK_BYTES));
  }

  @Override
  void requireServed(AllocationRequest request) {
    // All are.
  }

  @Override
  boolean pools() {
    return false;
  }
}
