package dev.cairn.allocator.report;

/**
 * Something that would help a request that could not be met.
 *
 * @param kind what is to be done
 * @param bytes the figure that goes with it, as {@link Kind} says
 * @param sentence the same for people, without a full stop
 */
public record Remedy(Kind kind, long bytes, String sentence) {
  /** The sorts of remedies, and what their figure means. */
  public enum Kind {
    /**
     * Raise the limit: by how much. Exact where a pool grows as requested, as a session's does; one that doubles, or
     * takes its limit whole, may place what comes before the request otherwise under another limit.
     */
    RAISE_LIMIT,
    /** Raise the limit of the budget that several allocators share: by how much. */
    RAISE_BUDGET,
    /** Ask for less at a time: bytes that can be had. */
    ASK_FOR_LESS,
    /** Give wholly free regions back: bytes of those. */
    TRIM,
    /** Grow in one range of virtual memory: bytes that are free and would adjoin. */
    VIRTUAL_MEMORY,
    /** Take the whole limit in one region: its bytes. */
    ONE_REGION,
    /** End other users of the same memory: bytes that the source must have. */
    END_OTHERS,
    /** Wait for the streams that still use freed bytes: how many those are. */
    WAIT
  }
}
