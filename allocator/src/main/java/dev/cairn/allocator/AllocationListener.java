package dev.cairn.allocator;

import java.util.List;

/**
 * Is told what an allocator does, as it happens. Called with the allocator's lock held, when its state is whole: be
 * brief, and don't allocate or free from here. A listener cannot undo anything: one that throws is logged, and the
 * allocator tells it nothing from then on.
 */
public interface AllocationListener {
  /** The listener that does nothing. */
  static AllocationListener silent() {
    return Silent.INSTANCE;
  }

  /** A block was granted: its id, address, bytes held and bytes asked for, and who asked. */
  default void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {}

  /** A block was given back. */
  default void freed(long allocationId, long address, long bytes) {}

  /** The pool grew by a region. */
  default void regionAdded(long address, long bytes) {}

  /** The pool shrank by a region. */
  default void regionReleased(long address, long bytes) {}

  /**
   * A request could not be met; the caller is about to be told by this very exception. Called without the lock, but
   * by storage managers.
   */
  default void refused(OutOfMemory refusal) {}

  /**
   * What this listener remembers to have heard, the oldest first, for the report of a refusal; nothing by default.
   * Asked with the allocator's lock held, and only then.
   */
  default List<PoolEvent> lastEvents() {
    return List.of();
  }
}
