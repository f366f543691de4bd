package dev.cairn.allocator;

import java.util.Objects;

/**
 * A request for memory. A value: create it once and reuse it for every run.
 *
 * @param bytes how many bytes
 * @param owner the owner, for reports
 * @param alignmentBytes the alignment of the address, a power of two; less than 256 counts as 256
 * @param freedBefore use only memory that was freed at or before this time of the allocator's {@link SharedCounter}, or
 *   before the safe frontier; {@link #ANY_TIME} for any memory
 * @param stream the stream whose later work uses the memory: memory that was freed on it serves at once. 0, the
 *   default, where callers number no streams, and for work of no stream
 */
public record AllocationRequest(long bytes, Owner owner, long alignmentBytes, long freedBefore, int stream) {
  /** Any free memory. Work that was issued before the free, in the same order, may still read it. */
  public static final long ANY_TIME = 0;

  /** Checks the figures. */
  public AllocationRequest {
    // Otherwise a null from unchecked code would be found only by the first report, which it would spoil.
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
    if (stream < 0 || stream > StreamTime.MAXIMUM_STREAM) {
      throw new IllegalArgumentException("no such stream: stream=%d owner=%s".formatted(stream, owner));
    }
  }

  /** A request of stream 0. */
  public AllocationRequest(long bytes, Owner owner, long alignmentBytes, long freedBefore) {
    this(bytes, owner, alignmentBytes, freedBefore, 0);
  }

  /** A request for {@code bytes} bytes for {@code owner}. */
  public static AllocationRequest of(long bytes, Owner owner) {
    return new AllocationRequest(bytes, owner, Alignment.CHUNK_BYTES, ANY_TIME);
  }

  /** A request for {@code bytes} bytes without an owner. */
  public static AllocationRequest of(long bytes) {
    return of(bytes, Owner.NONE);
  }

  /** This request with another alignment. */
  public AllocationRequest withAlignment(long newAlignmentBytes) {
    return new AllocationRequest(bytes, owner, newAlignmentBytes, freedBefore, stream);
  }

  /** This request with another {@link #freedBefore}. */
  public AllocationRequest withFreedBefore(long newFreedBefore) {
    return new AllocationRequest(bytes, owner, alignmentBytes, newFreedBefore, stream);
  }

  /** This request for another {@link #stream}. */
  public AllocationRequest withStream(int newStream) {
    return newStream == stream ? this : new AllocationRequest(bytes, owner, alignmentBytes, freedBefore, newStream);
  }
}
