package dev.cairn.allocator;

/**
 * Grants blocks of one memory space and takes them back. Safe for use by many threads. Whoever makes an allocator
 * closes it, after all blocks have been freed.
 *
 * <p>A call that fails leaves the allocator as it was. A layer wraps an allocator, called its upstream, and hands on
 * the upstream's blocks as they are.
 */
public interface Allocator extends AutoCloseable {
  /** The label of a request that names no owner. */
  String NO_OWNER = "";

  /** The memory that the blocks are in. */
  MemorySpace space();

  /** As {@link #allocate(long, String)}, for no owner in particular. */
  default Block allocate(long bytes) {
    return allocate(bytes, NO_OWNER);
  }

  /**
   * Grants {@code bytes} bytes, not initialised, 256-byte aligned. For 0 bytes the block is empty and holds nothing.
   *
   * @param bytes how many are wanted
   * @param owner who wants them, for reports: an operator, a tensor, a pool
   * @throws OutOfMemory when they can't be had
   * @throws IllegalArgumentException when {@code bytes} is negative
   * @throws IllegalStateException when closed
   */
  Block allocate(long bytes, String owner);

  /**
   * Takes back a block. An empty block may be given back any number of times, every other exactly once.
   *
   * @throws IllegalArgumentException when this allocator doesn't hold the block: freed before, another allocator's, or
   *     altered; nothing is changed then
   * @throws IllegalStateException when closed
   */
  void free(Block block);

  /**
   * Gives the regions that hold no block back to the source, for when memory is short: what is left of a limit is then
   * in one piece again. What the source won't take stays.
   *
   * @return bytes given back
   */
  long trim();

  /** The figures of this moment. */
  AllocatorStats stats();

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
