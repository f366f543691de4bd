package dev.cairn.allocator;

import java.lang.foreign.MemorySegment;

/**
 * A granted range of memory, {@code [address, address + bytes)}, of which the holder asked for the first
 * {@code requestedBytes}. It belongs to its holder until given to {@link Allocator#free}; it is a value, and
 * keeping it longer does no harm, but its memory may by then be another's.
 *
 * @param issuer the allocator that granted it, compared by identity; layers pass on what their upstream grants
 * @param handle what the issuer knows it by: opaque, not reused; {@link #NO_HANDLE} if empty
 * @param allocationId number of this grant, counted from 0 by the issuer, never reused; -1 if empty
 * @param address first byte, a multiple of 256; 0 if empty
 * @param requestedBytes how many bytes were asked for
 * @param bytes how many bytes are held: {@code requestedBytes} and slack
 * @param space the memory that the address belongs to
 * @param segment the requested bytes as a segment; {@link MemorySegment#NULL} where the host has no access
 */
public record Block(Object issuer, long handle, long allocationId, long address, long requestedBytes, long bytes,
  MemorySpace space, MemorySegment segment) {
  /** The handle of no block. */
  public static final long NO_HANDLE = -1;

  /** What a request for 0 bytes is given: no memory, nothing to free. */
  public static Block empty(Object issuer, MemorySpace space) {
    return new Block(issuer, NO_HANDLE, -1, 0, 0, 0, space, MemorySegment.NULL);
  }

  /** Whether this is the answer to a request for 0 bytes. */
  public boolean isEmpty() {
    return handle == NO_HANDLE;
  }

  /**
   * The requested bytes, not initialised. The segment's lifetime is that of the region that it lies in: after that has
   * gone back to its source, an access throws {@link IllegalStateException}. A freed block is not noticed by it.
   *
   * @throws IllegalStateException when the host has no access to this space
   */
  @Override
  public MemorySegment segment() {
    if (!space.isHostAccessible()) {
      throw new IllegalStateException("block is not in host memory: space=%s %s".formatted(space, this));
    }
    return segment;
  }

  @Override
  public String toString() {
    return "block id=%d space=%s address=0x%x bytes=%d requestedBytes=%d".formatted(allocationId, space, address, bytes,
      requestedBytes);
  }
}
