package dev.cairn.allocator;

import java.util.Objects;

/**
 * What is asked of an allocator. A value, which may be made once and used for every run.
 *
 * @param bytes how many are wanted
 * @param owner who wants them, for reports
 * @param alignmentBytes what the address must be a multiple of: a power of two; less than 256 counts as 256
 * @param freedBefore serve only from memory that was freed at or before this time, as the allocator's
 *     {@link SharedCounter} counts it, or whose time the safe frontier has passed; {@link #ANY_TIME} makes no demand
 */
public record AllocationRequest(long bytes, Owner owner, long alignmentBytes, long freedBefore) {
  /** No demand: memory may still be read by work that was issued before it was freed, in the same order. */
  public static final long ANY_TIME = 0;

  /** Checks the figures. */
  public AllocationRequest {
    // A null from unchecked code would be found by the first report only, and spoil it.
    Objects.requireNonNull(owner, "owner");
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: bytes=%d owner=%s".formatted(bytes, owner));
    }
    if (Long.bitCount(alignmentBytes) != 1 || alignmentBytes < 0) {
      throw new IllegalArgumentException(
        "alignment must be a power of two: alignmentBytes=%d owner=%s".formatted(alignmentBytes, owner));
    }
    if (freedBefore < ANY_TIME) {
      throw new IllegalArgumentException("time must not be negative: freedBefore=%d owner=%s".formatted(freedBefore,
        owner));
    }
  }

  /** {@code bytes} bytes for {@code owner}, with no other demand. */
  public static AllocationRequest of(long bytes, Owner owner) {
    return new AllocationRequest(bytes, owner, Alignment.CHUNK_BYTES, ANY_TIME);
  }

  /** {@code bytes} bytes for nobody in particular. */
  public static AllocationRequest of(long bytes) {
    return of(bytes, Owner.NONE);
  }

  /** The same with another alignment. */
  public AllocationRequest withAlignment(long newAlignmentBytes) {
    return new AllocationRequest(bytes, owner, newAlignmentBytes, freedBefore);
  }

  /** The same with a demand on time. */
  public AllocationRequest withFreedBefore(long newFreedBefore) {
    return new AllocationRequest(bytes, owner, alignmentBytes, newFreedBefore);
  }
}
