package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.source.Region;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The grants of a heap as their holders name them: chunk to handle to block, and back. A handle or block that isn't
 * held is found out before anything is touched. Reads the heap only. The caller holds the lock.
 *
 * <p>A handle packs a chunk and the grant that holds it into one long, so that a handle kept after the free is
 * recognised.
 *
 * <pre>
 *  63                                  28 27                        0
 *  | generation: allocation id + salt    | chunk                     |
 * </pre>
 *
 * The generation comes from the allocation id, which is never reused, and repeats after 2^36 grants. The salt differs
 * between allocators, so that the handle of another one doesn't fit by chance.
 */
final class Handles {
  private static final int CHUNK_BITS = ChunkTable.ROW_BITS;
  private static final long CHUNK_MASK = (1L << CHUNK_BITS) - 1;
  private static final long GENERATION_MASK = (1L << (Long.SIZE - CHUNK_BITS)) - 1;
  // Steps of the golden ratio spread the salts of any number of allocators evenly.
  private static final long SALT_STEP = 0x9E3779B97F4A7C15L;
  private static final AtomicLong MADE = new AtomicLong();

  private final long salt = (MADE.incrementAndGet() * SALT_STEP) >>> CHUNK_BITS;
  private final BfcHeap heap;
  private final Owners owners;

  Handles(BfcHeap heap, Owners owners) {
    this.heap = heap;
    this.owners = owners;
  }

  /** The handle of a chunk in use. */
  long handleOf(ChunkTable chunks, int chunk) {
    return ((chunks.allocationId(chunk) + salt) << CHUNK_BITS) | chunk;
  }

  private boolean isHeld(ChunkTable chunks, long handle, int chunk) {
    return chunk < chunks.rows() && chunks.isInUse(chunk)
      && (handle >>> CHUNK_BITS) == ((chunks.allocationId(chunk) + salt) & GENERATION_MASK);
  }

  /** The chunk in use that the handle stands for. */
  int chunkOf(ChunkTable chunks, long handle) {
    int chunk = (int) (handle & CHUNK_MASK);
    if (isHeld(chunks, handle, chunk)) {
      return chunk;
    }
    long id = ((handle >>> CHUNK_BITS) - salt) & GENERATION_MASK;
    throw new IllegalArgumentException(chunk < chunks.rows() && id < heap.usage.nextAllocationId()
      ? "block is already freed: id=%d".formatted(id)
      : "handle is not one of this allocator: handle=0x%x".formatted(handle));
  }

  /** The chunk in use that a block of this heap stands for. */
  int chunkOf(Block block) {
    ChunkTable chunks = heap.chunks;
    int chunk = (int) (block.handle() & CHUNK_MASK);
    if (!isHeld(chunks, block.handle(), chunk)) {
      throw new IllegalArgumentException("block is not in use, already freed or never allocated: %s; that address is %s"
        .formatted(block, describe(block.address())));
    }
    if (chunks.address(chunk) != block.address() || chunks.allocationId(chunk) != block.allocationId()) {
      throw new IllegalArgumentException("block was altered, or has moved: %s; its handle is of %s; that address is %s"
        .formatted(block, chunks.describe(chunk), describe(block.address())));
    }
    return chunk;
  }

  /** The block of a chunk in use. */
  Block blockOf(int chunk, Object issuer, MemorySpace space) {
    return blockOf(chunk, heap.chunks.address(chunk), issuer, space);
  }

  /** A block for a chunk, like the other method, but the chunk is to move to this address. */
  Block blockOf(int chunk, long address, Object issuer, MemorySpace space) {
    ChunkTable chunks = heap.chunks;
    long requested = chunks.requestedBytes(chunk);
    MemorySegment segment = MemorySegment.NULL;
    if (space.isHostAccessible()) {
      // Regions that the host can reach don't merge: each has one part.
      Region part = heap.regions.holding(address).parts().getFirst();
      segment = part.segment().asSlice(address - part.address(), requested);
    }
    return new Block(issuer, handleOf(chunks, chunk), chunks.allocationId(chunk), address, requested,
      chunks.bytes(chunk), space, segment);
  }

  /** The allocation at an address, for messages: in use, free, or no part of the pool. Walks its region. */
  private String describe(long address) {
    ChunkTable chunks = heap.chunks;
    RegionTable.Row row = heap.regions.find(address);
    if (row == null) {
      return "outside the pool";
    }
    int chunk = row.firstChunk;
    while (chunks.endAddress(chunk) <= address) {
      chunk = chunks.next(chunk);
    }
    String state = chunks.isInUse(chunk)
      ? "in use by id=%d owner=%s".formatted(chunks.allocationId(chunk), owners.owner(chunks.owner(chunk)))
      : "free";
    return "%s in chunk [0x%x, 0x%x)".formatted(state, chunks.address(chunk), chunks.endAddress(chunk));
  }

  /** The largest chunk in use, for messages. */
  String largestHeld() {
    ChunkTable chunks = heap.chunks;
    int largest = NONE;
    for (int chunk = 0; chunk < chunks.rows(); chunk++) {
      boolean larger = largest == NONE || chunks.bytes(chunk) > chunks.bytes(largest);
      largest = chunks.isInUse(chunk) && larger ? chunk : largest;
    }
    return largest == NONE
      ? "none"
      : "%s owner=%s".formatted(chunks.describe(largest), owners.owner(chunks.owner(largest)));
  }
}
