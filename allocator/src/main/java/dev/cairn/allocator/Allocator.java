package dev.cairn.allocator;

/**
 * Allocates and frees blocks of one memory space. Thread-safe. The creator closes the allocator after all blocks are
 * freed.
 *
 * <p>A failed call leaves the allocator unchanged. A layer wraps another allocator, its upstream, and returns the
 * upstream's blocks unchanged.
 */
public interface Allocator extends AutoCloseable {
  /** The memory space of the blocks. */
  MemorySpace space();

  /** Like {@link #allocate(AllocationRequest)}, without an owner. */
  default Block allocate(long bytes) {
    return allocate(AllocationRequest.of(bytes));
  }

  /** Like {@link #allocate(AllocationRequest)}, for an owner with this label. */
  default Block allocate(long bytes, String owner) {
    return allocate(AllocationRequest.of(bytes, Owner.of(owner)));
  }

  /**
   * Allocates a block, uninitialised and aligned to at least 256 bytes. For 0 bytes the block is empty.
   *
   * @throws OutOfMemory when there is not enough memory
   * @throws IllegalStateException when closed
   */
  Block allocate(AllocationRequest request);

  /**
   * Allocates a block in its own region, without pooling, for long-lived data such as weights. The block counts against
   * the limit. {@link #free} returns its region to the source at once.
   *
   * @throws OutOfMemory when the limit or the source does not allow it
   * @throws IllegalArgumentException when the request has an alignment or a {@code freedBefore}
   * @throws IllegalStateException when closed
   */
  Block reserve(AllocationRequest request);

  /**
   * Frees a block. Free each block exactly once; an empty block any number of times.
   *
   * @throws IllegalArgumentException when the block is already freed, altered, or from another allocator; nothing
   *   changes then
   * @throws IllegalStateException when closed
   */
  void free(Block block);

  /** Like {@link #trim(TrimPolicy)}, with {@link TrimPolicy#EVERYTHING}. */
  default long trim() {
    return trim(TrimPolicy.EVERYTHING);
  }

  /**
   * Returns empty regions to the source, the longest idle first, as far as the policy allows. Regions that the source
   * does not accept stay in the pool.
   *
   * @return bytes returned to the source
   */
  long trim(TrimPolicy policy);

  /** The current statistics. */
  AllocatorStats stats();

  /** Returns the current statistics, then resets totals and peaks to the current values. */
  AllocatorStats clearStats();

  /** All regions and chunks, in address order. Takes time in proportion to their number. */
  MemoryMap memoryMap();

  /**
   * Checks all internal invariants, slowly; for tests and debugging.
   *
   * @throws AssertionError with the number of the broken invariant and the facts
   */
  void validate();

  /**
   * Returns all regions to the source.
   *
   * @throws IllegalStateException when blocks are still in use (nothing changes then), or when already closed
   */
  @Override
  void close();
}
