package dev.cairn.allocator;

/**
 * An allocator that also speaks primitive handles, which put nothing on the Java heap: for hot paths. A handle and the
 * {@link Block} of the same grant are two names of one thing: either may be used to give it back. Safe for use by many
 * threads.
 */
public interface HandleAllocator extends Allocator {
  /** The owner's number of those who don't say for whom they ask. */
  int NOBODY = 0;

  /** The number by which {@link #grant(long, int)} knows an owner; asked for once, before the first grant to it. */
  int ownerNumber(Owner owner);

  /** Says that what is granted from now on is of this step, for reports. */
  void beginStep(int step);

  /**
   * Lets memory that was freed before {@code time}, as the allocator's clock counts it, be used by all. Any thread may
   * say so at any time; a time before one that was said has no effect.
   */
  void setSafeFrontier(long time);

  /**
   * As {@link #grant(long, int)}, but a request that can't be met is answered with {@link Block#NO_HANDLE}: for memory
   * that the caller can do without.
   */
  long tryGrant(long bytes, int owner);

  /** As {@link #tryGrant(long, int)}, for nobody in particular. */
  default long tryGrant(long bytes) {
    return tryGrant(bytes, NOBODY);
  }

  /**
   * Grants {@code bytes} bytes to the owner with a number of {@link #ownerNumber}; the answer is a handle for
   * {@link #release}.
   *
   * @throws OutOfMemory when they can't be had
   * @throws IllegalArgumentException when {@code bytes} is not positive, or the owner isn't known
   */
  long grant(long bytes, int owner);

  /** As {@link #grant(long, int)}, for nobody in particular. */
  default long grant(long bytes) {
    return grant(bytes, NOBODY);
  }

  /**
   * Takes back what a handle stands for.
   *
   * @throws IllegalArgumentException when no grant of this allocator is held under the handle; nothing is changed then
   */
  void release(long handle);

  /** First address of a grant that is held. */
  long addressOf(long handle);

  /** The block of a grant that is held, for those who want its segment. */
  Block blockOf(long handle);
}
