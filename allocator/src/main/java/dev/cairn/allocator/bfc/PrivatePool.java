package dev.cairn.allocator.bfc;

import dev.cairn.allocator.source.SubAllocator;

/**
 * An allocator that can be put back to a moment: for the memory of a recorded graph of kernels, which must be where it
 * was at each replay. Owns its allocator, and its regions are shared with nobody. Safe for use by many threads.
 *
 * <p>The idea is that of PyTorch's private pools for CUDA graphs.
 */
public final class PrivatePool implements AutoCloseable {
  private final BfcAllocator allocator;

  /**
   * A pool over {@code source}.
   *
   * @throws IllegalArgumentException for a pool with two ends
   */
  public PrivatePool(SubAllocator source, BfcOptions options) {
    if (options.twoEnded()) {
      throw new IllegalArgumentException("a pool that can be put back has one end: space=" + source.space());
    }
    allocator = new BfcAllocator(source, options);
  }

  /** What to allocate from. */
  public BfcAllocator allocator() {
    return allocator;
  }

  /**
   * What is held now, so that it can be restored later.
   *
   * @throws IllegalStateException when closed, or when blocks of their own regions are held
   */
  public Checkpoint checkpoint() {
    return allocator.lock.with(() -> {
      allocator.requireOpen();
      requireNothingReserved();
      return new Checkpoint(this, allocator.heap);
    });
  }

  /**
   * Makes held what was held at the checkpoint, at the same addresses and under the same handles, and nothing else:
   * blocks granted since are no more, those freed since are held again. What is in the memory stays as it is.
   *
   * @throws IllegalStateException when a region was given back since, the checkpoint was closed, or there was no room
   *     on the Java heap to keep what it needs; nothing is changed then
   */
  public void restore(Checkpoint checkpoint) {
    requireOwn(checkpoint);
    allocator.lock.with(() -> {
      allocator.requireOpen();
      requireNothingReserved();
      checkpoint.restore(allocator.heap);
      return checkpoint;
    });
  }

  void forget(Checkpoint checkpoint) {
    allocator.lock.with(() -> {
      checkpoint.end(allocator.heap);
      return checkpoint;
    });
  }

  private void requireOwn(Checkpoint checkpoint) {
    if (checkpoint.of != this) {
      throw new IllegalArgumentException("checkpoint is of another pool: space=" + allocator.space());
    }
  }

  private void requireNothingReserved() {
    if (allocator.heap.usage.reservedBytes() > 0) {
      throw new IllegalStateException("blocks with regions of their own are held: reservedBytes=%d space=%s".formatted(
        allocator.heap.usage.reservedBytes(), allocator.space()));
    }
  }

  /** Closes the allocator, after all blocks have been freed. */
  @Override
  public void close() {
    allocator.close();
  }
}
