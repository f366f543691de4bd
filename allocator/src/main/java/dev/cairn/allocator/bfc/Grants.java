package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.source.Region;
import java.lang.foreign.MemorySegment;

/**
 * What is held of a heap, as its holders name it: chunk to handle to block, and back, where a handle or block that
 * isn't held is found out before anything is touched. Reads the heap only. The caller holds the lock.
 */
final class Grants {
  private final Handles handles = new Handles();
  private final BfcHeap heap;
  private final HeapReader reader;

  Grants(BfcHeap heap, HeapReader reader) {
    this.heap = heap;
    this.reader = reader;
  }

  /** Checks what the primitive face is given. */
  void requirePlain(long bytes, int owner, Owners owners) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("bytes must be positive: bytes=%d".formatted(bytes));
    }
    if (!owners.isKnown(owner)) {
      throw new IllegalArgumentException("no owner has this number: owner=%d bytes=%d".formatted(owner, bytes));
    }
  }

  /** The handle of a chunk in use. */
  long handleOf(ChunkTable chunks, int chunk) {
    return handles.of(chunk, chunks.allocationId(chunk));
  }

  /** The chunk in use that the handle stands for. */
  int chunkOf(ChunkTable chunks, long handle) {
    int chunk = handles.chunk(handle);
    if (chunk < chunks.rows() && chunks.isInUse(chunk) && handles.isOf(handle, chunks.allocationId(chunk))) {
      return chunk;
    }
    throw notHeld(handle);
  }

  private IllegalArgumentException notHeld(long handle) {
    long id = handles.allocationId(handle);
    if (handles.chunk(handle) < heap.chunks.rows() && id < heap.usage.nextAllocationId()) {
      return new IllegalArgumentException("grant was given back before: id=%d".formatted(id));
    }
    return new IllegalArgumentException("handle is not one of this allocator: handle=0x%x".formatted(handle));
  }

  /** The chunk in use that a block of this heap stands for. */
  int chunkOf(Block block) {
    ChunkTable chunks = heap.chunks;
    int chunk = handles.chunk(block.handle());
    if (chunk >= chunks.rows() || !chunks.isInUse(chunk)
      || !handles.isOf(block.handle(), chunks.allocationId(chunk))) {
      throw new IllegalArgumentException("block is not held, freed before or never granted: %s; that address is %s"
        .formatted(block, reader.describe(block.address())));
    }
    if (chunks.address(chunk) != block.address() || chunks.allocationId(chunk) != block.allocationId()) {
      throw new IllegalArgumentException("block is not as it was granted: %s; its handle is of %s; that address is %s"
        .formatted(block, chunks.describe(chunk), reader.describe(block.address())));
    }
    return chunk;
  }

  /** The block of a handle that is held. */
  Block blockOf(long handle, Object issuer, MemorySpace space) {
    ChunkTable chunks = heap.chunks;
    int chunk = chunkOf(chunks, handle);
    long requested = chunks.requestedBytes(chunk);
    MemorySegment segment = space.isHostAccessible() ? segment(chunks.address(chunk), requested) : MemorySegment.NULL;
    return new Block(issuer, handle, chunks.allocationId(chunk), chunks.address(chunk), requested, chunks.bytes(chunk),
      space, segment);
  }

  private MemorySegment segment(long address, long bytes) {
    // Regions that the host can reach don't merge: each has one part.
    Region part = heap.regions.holding(address).parts().getFirst();
    return part.segment().asSlice(address - part.address(), bytes);
  }
}
