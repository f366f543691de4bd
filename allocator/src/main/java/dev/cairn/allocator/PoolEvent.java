package dev.cairn.allocator;

/**
 * One thing that an allocator did, as its {@link AllocationListener} heard it. A value.
 *
 * @param kind what it did
 * @param allocationId the grant that was made or ended; {@link #NO_GRANT} where a region came or went
 * @param address where
 * @param bytes of the block, with slack, or of the region
 * @param owner who asked; {@link Owner#NONE} where that isn't known any more, and for regions
 */
public record PoolEvent(Kind kind, long allocationId, long address, long bytes, Owner owner) {
  /** The allocation id of what is no grant. */
  public static final long NO_GRANT = -1;

  /** What can be done; in words the lower case. */
  public enum Kind {
    /** A block was granted. */
    GRANT,
    /** A block was given back. */
    FREE,
    /** The pool grew by a region. */
    GROW,
    /** The pool shrank by a region. */
    SHRINK;

    boolean isOfBlock() {
      return this == GRANT || this == FREE;
    }
  }

  /** Checks that the numbers can be. */
  public PoolEvent {
    if (bytes < 0 || (kind.isOfBlock() ? allocationId < 0 : allocationId != NO_GRANT)) {
      throw new IllegalArgumentException("no such event: kind=%s allocationId=%d bytes=%d".formatted(kind,
        allocationId, bytes));
    }
  }
}
