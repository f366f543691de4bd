package dev.cairn.allocator;

import java.util.List;

/**
 * Receives an allocator's events as they happen. The allocator calls it with its lock held: be brief, and do not
 * allocate or free here. If a listener throws, the allocator logs the exception and detaches the listener.
 */
public interface AllocationListener {
  /** A listener that does nothing. */
  static AllocationListener silent() {
    return Silent.INSTANCE;
  }

  /** The allocator granted a block: its id, address, size, requested size and owner. */
  default void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {}

  /** A block was freed. */
  default void freed(long allocationId, long address, long bytes) {}

  /** The pool grew by a region. */
  default void regionAdded(long address, long bytes) {}

  /** The pool shrank by a region. */
  default void regionReleased(long address, long bytes) {}

  /**
   * A request failed; the caller will get this exception. Called without the allocator's lock, except by storage
   * managers.
   */
  default void refused(OutOfMemory refusal) {}

  /**
   * The latest events that this listener remembers, oldest first, for out-of-memory reports; none by default. Called
   * only with the allocator's lock held.
   */
  default List<PoolEvent> lastEvents() {
    return List.of();
  }
}
