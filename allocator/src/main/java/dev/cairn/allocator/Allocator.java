package dev.cairn.allocator;

/**
 * Grants blocks of one memory space and takes them back. Safe for use by many threads. Whoever makes an allocator
 * closes it, after all blocks have been freed.
 *
 * <p>A call that fails leaves the allocator as it was. A layer wraps an allocator, called its upstream, and hands on
 * the upstream's blocks as they are.
 */
public interface Allocator extends AutoCloseable {
  /** The memory that the blocks are in. */
  MemorySpace space();

  /** As {@link #allocate(AllocationRequest)}, for no owner in particular. */
  default Block allocate(long bytes) {
    return allocate(AllocationRequest.of(bytes));
  }

  /** As {@link #allocate(AllocationRequest)}, for an owner known by one label. */
  default Block allocate(long bytes, String owner) {
    return allocate(AllocationRequest.of(bytes, Owner.of(owner)));
  }

  /**
   * Grants what is asked for, not initialised, 256-byte aligned or better. For 0 bytes the block is empty and holds
   * nothing.
   *
   * @throws OutOfMemory when it can't be had
   * @throws IllegalStateException when closed
   */
  Block allocate(AllocationRequest request);

  /**
   * Grants memory that has a region of its own, past all pooling: for what stays, such as weights. It counts against
   * the limit like any other, and {@link #free} gives it back to the source at once.
   *
   * @throws OutOfMemory when limit or source don't allow it
   * @throws IllegalArgumentException when a demand other than that for bytes is made
   * @throws IllegalStateException when closed
   */
  Block reserve(AllocationRequest request);

  /**
   * Takes back a block. An empty block may be given back any number of times, every other exactly once.
   *
   * @throws IllegalArgumentException when this allocator doesn't hold the block: freed before, another allocator's, or
   *     altered; nothing is changed then
   * @throws IllegalStateException when closed
   */
  void free(Block block);

  /** Gives all that is free and can be given back to the source, as {@link #trim(TrimPolicy)} does. */
  default long trim() {
    return trim(TrimPolicy.EVERYTHING);
  }

  /**
   * Gives regions that hold no block back to the source, the longest idle first, as far as the policy allows: what is
   * left of a limit is then in one piece again. What the source won't take stays.
   *
   * @return bytes given back
   */
  long trim(TrimPolicy policy);

  /** The figures of this moment. */
  AllocatorStats stats();

  /** The figures of this moment; then totals and peaks begin anew, from what is held now. */
  AllocatorStats clearStats();

  /** All regions and chunks of this moment, in address order; costs time in proportion to them. */
  MemoryMap memoryMap();

  /**
   * Checks all that must hold inside, slowly; for tests and bug hunts.
   *
   * @throws AssertionError with the number of the broken invariant and the facts
   */
  void validate();

  /**
   * Gives all regions back to the source.
   *
   * @throws IllegalStateException when blocks are still held (nothing is changed then), or when closed before
   */
  @Override
  void close();
}
