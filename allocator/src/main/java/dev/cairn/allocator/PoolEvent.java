package dev.cairn.allocator;

/**
 * One event of an allocator, as its {@link AllocationListener} received it. A value.
 *
 * @param kind the kind of event
 * @param allocationId the block's allocation id; {@link #NO_GRANT} for a region
 * @param address first byte of the block or region
 * @param bytes length of the block, with slack, or of the region
 * @param owner the block's owner; {@link Owner#NONE} for regions, or if no longer known
 */
public record PoolEvent(Kind kind, long allocationId, long address, long bytes, Owner owner) {
  /** The allocation id of events about regions. */
  public static final long NO_GRANT = -1;

  /** The kinds of events; reports use their names in lower case. */
  public enum Kind {
    /** A block was granted. */
    GRANT,
    /** A block was freed. */
    FREE,
    /** The pool grew by a region. */
    GROW,
    /** The pool shrank by a region. */
    SHRINK;

    boolean isOfBlock() {
      return this == GRANT || this == FREE;
    }
  }

  /** Checks the numbers. */
  public PoolEvent {
    if (bytes < 0 || (kind.isOfBlock() ? allocationId < 0 : allocationId != NO_GRANT)) {
      throw new IllegalArgumentException("no such event: kind=%s allocationId=%d bytes=%d".formatted(kind,
        allocationId, bytes));
    }
  }
}
