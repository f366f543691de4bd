package dev.cairn.allocator.storage;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.source.SubAllocator;

/**
 * A pool with nothing in it: every block is freed directly, but lengths are rounded and the reserve is kept as in a
 * {@link PooledStorageManager}. Compared with that one it shows the gain of pooling itself; {@link
 * NaiveStorageManager}, in contrast, takes just the requested bytes and has no reserve. Safe for use by many threads.
 * MXNet's pool type "Unpooled".
 */
public final class UnpooledStorageManager extends RegionPerBlock {
  /** Over {@code source}. */
  public UnpooledStorageManager(SubAllocator source, Rounding rounding, StorageOptions options) {
    this(source, rounding, options, AllocationListener.silent());
  }

  /** The same with a listener. */
  public UnpooledStorageManager(SubAllocator source, Rounding rounding, StorageOptions options,
    AllocationListener listener) {
    super(new Holdings(source, options, listener, () -> 0, System::nanoTime), rounding);
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
