package dev.cairn.allocator.report;

/**
 * A remedy for a failed request.
 *
 * @param kind what to do
 * @param bytes a number of bytes; {@link Kind} says what it means
 * @param sentence the remedy as text, without a full stop
 */
public record Remedy(Kind kind, long bytes, String sentence) {
  /** The kinds of remedies, and the meaning of their bytes. */
  public enum Kind {
    /**
     * Raise the limit by these bytes. Exact for a pool that grows as requested, such as a session's; a pool that
     * doubles, or takes its whole limit, may place earlier blocks differently under another limit.
     */
    RAISE_LIMIT,
    /** Set an option, or raise the limit, as a caller tried: the limit with which it works. */
    OTHER_WAY,
    /** Raise the limit of the shared budget by these bytes. */
    RAISE_BUDGET,
    /** Request less at once: the bytes available now. */
    ASK_FOR_LESS,
    /** Return free regions to the source: their bytes. */
    TRIM,
    /** Grow in one range of virtual memory: free bytes that would be adjacent. */
    VIRTUAL_MEMORY,
    /** Take the whole limit as one region: its bytes. */
    ONE_REGION,
    /** End other programs that use this memory: bytes that must become available. */
    END_OTHERS,
    /** Wait for streams that still use freed memory: the bytes of that memory. */
    WAIT
  }
}
