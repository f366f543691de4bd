package dev.cairn.allocator;

import java.lang.foreign.MemorySegment;

/**
 * An allocated range of memory, {@code [address, address + bytes)}; the caller requested the first {@code
 * requestedBytes}. The caller owns the block until it calls {@link Allocator#free}. A block is a value: keeping it
 * longer does no harm, but its memory may then belong to another block.
 *
 * @param issuer the allocator that granted it, compared by identity; layers pass on their upstream's blocks
 * @param handle the issuer's handle for it: opaque, never reused; {@link #NO_HANDLE} if empty
 * @param allocationId the issuer's number for this allocation, counted from 0; -1 if empty
 * @param address first byte, a multiple of 256; 0 if empty
 * @param requestedBytes how many bytes the caller requested
 * @param bytes how many bytes the block takes: {@code requestedBytes} plus slack
 * @param space the memory that the address belongs to
 * @param segment the requested bytes as a segment; {@link MemorySegment#NULL} where the host has no access
 */
public record Block(Object issuer, long handle, long allocationId, long address, long requestedBytes, long bytes,
  MemorySpace space, MemorySegment segment) {
  /** The handle of no block. */
  public static final long NO_HANDLE = -1;

  /** The block for a request of 0 bytes: no memory, nothing to free. */
  public static Block empty(Object issuer, MemorySpace space) {
    return new Block(issuer, NO_HANDLE, -1, 0, 0, 0, space, MemorySegment.NULL);
  }

  /** Whether this block is for a request of 0 bytes. */
  public boolean isEmpty() {
    return handle == NO_HANDLE;
  }

  /**
   * The requested bytes, uninitialised. The segment lives as long as its region: once the region has gone back to its
   * source, access throws {@link IllegalStateException}. Freeing the block does not end the segment.
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
