package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.SubAllocator;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Best fit with coalescing over one source. Safe for use by many threads: one lock guards everything. Owns the regions
 * it takes and returns them all on {@link #close()}; does not own the source.
 *
 * <p>It has two faces. {@link #allocate} and {@link #free} speak {@link Block}s; {@link #tryGrant}, {@link #grant} and
 * {@link #release} speak primitive handles and put nothing on the heap. A block and its handle are the same grant:
 * either may be used to give it back.
 */
public final class BfcAllocator implements Allocator {
  // Implementation note. BfcHeap does the work: round up to 256; take the smallest free chunk that fits, the lowest of
  // those; split it if the policy says so; else extend by a region and look again. A free merges with both neighbours
  // at once, so that free chunks never adjoin. A bad free is told by the handle alone, before anything is touched: its
  // chunk must be in use, by the very grant that the handle names.

  private final ReentrantLock lock = new ReentrantLock();
  private final MemorySpace space;
  private final AllocationListener listener;
  private final BfcHeap heap;
  private final HeapReader reader;
  private final Grants grants;
  private boolean closed;

  /** An allocator that nobody listens to. */
  public BfcAllocator(SubAllocator source, BfcOptions options) {
    this(source, options, AllocationListener.silent());
  }

  /**
   * An allocator over {@code source}; takes its first region at the first request.
   *
   * @throws IllegalArgumentException when the source merges regions that the host has segments of
   */
  public BfcAllocator(SubAllocator source, BfcOptions options, AllocationListener listener) {
    this.space = source.space();
    if (space.isHostAccessible() && source.supportsCoalescing()) {
      throw new IllegalArgumentException("regions with segments can't merge: space=%s".formatted(space));
    }
    this.listener = listener;
    this.heap = new BfcHeap(source, options, listener);
    this.reader = new HeapReader(heap, space);
    this.grants = new Grants(heap, reader);
  }

  @Override
  public MemorySpace space() {
    return space;
  }

  @Override
  public Block allocate(AllocationRequest request) {
    lock.lock();
    try {
      requireOpen();
      return request.bytes() == 0 ? Block.empty(this, space) : granted(request);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Block reserve(AllocationRequest request) {
    return allocate(request);
  }

  @Override
  public void free(Block block) {
    if (block.issuer() != this) {
      throw new IllegalArgumentException("block was granted by another allocator: " + block);
    }
    if (block.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      requireOpen();
      free(grants.chunkOf(block));
    } finally {
      lock.unlock();
    }
  }

  /**
   * As {@link #grant}, but a request that can't be met is answered with {@link Block#NO_HANDLE}: for memory that the
   * caller can do without.
   */
  public long tryGrant(long bytes) {
    return tryGrant(bytes, Owner.NONE);
  }

  /** As {@link #tryGrant(long)}, for an owner. */
  public long tryGrant(long bytes, Owner owner) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("bytes must be positive: bytes=%d owner=%s".formatted(bytes, owner));
    }
    lock.lock();
    try {
      requireOpen();
      int chunk = heap.allocate(bytes, owner);
      return chunk == NONE ? Block.NO_HANDLE : announced(chunk);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Grants {@code bytes} bytes to {@code owner}; the answer is a handle for {@link #release}.
   *
   * @throws OutOfMemory when they can't be had
   * @throws IllegalArgumentException when {@code bytes} is not positive
   */
  public long grant(long bytes) {
    return grant(bytes, Owner.NONE);
  }

  /** As {@link #grant(long)}, for an owner. */
  public long grant(long bytes, Owner owner) {
    lock.lock();
    try {
      long handle = tryGrant(bytes, owner);
      if (handle == Block.NO_HANDLE) {
        throw refusal(AllocationRequest.of(bytes, owner));
      }
      return handle;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes back what a handle stands for.
   *
   * @throws IllegalArgumentException when no grant of this allocator is held under the handle; nothing is changed then
   */
  public void release(long handle) {
    lock.lock();
    try {
      requireOpen();
      free(grants.chunkOf(handle));
    } finally {
      lock.unlock();
    }
  }

  /** First address of a grant that is held. */
  public long addressOf(long handle) {
    lock.lock();
    try {
      requireOpen();
      return heap.chunks.address(grants.chunkOf(handle));
    } finally {
      lock.unlock();
    }
  }

  /** The block of a grant that is held, for those who want its segment. */
  public Block blockOf(long handle) {
    lock.lock();
    try {
      requireOpen();
      return grants.blockOf(handle, this, space);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public AllocatorStats stats() {
    lock.lock();
    try {
      return reader.stats();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public MemoryMap memoryMap() {
    lock.lock();
    try {
      return reader.memoryMap();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void validate() {
    lock.lock();
    try {
      Invariants.check(heap);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public AllocatorStats clearStats() {
    lock.lock();
    try {
      AllocatorStats stats = reader.stats();
      heap.usage.clear();
      return stats;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long trim(TrimPolicy policy) {
    lock.lock();
    try {
      requireOpen();
      long before = heap.usage.poolBytes();
      heap.releaseFreeRegions();
      return before - heap.usage.poolBytes();
    } finally {
      lock.unlock();
    }
  }

  /** Gives the regions back; those that the source won't take stay here, and closing may then be tried again. */
  @Override
  public void close() {
    lock.lock();
    try {
      requireOpen();
      if (heap.usage.liveCount() > 0) {
        throw new IllegalStateException("blocks are still held: liveCount=%d bytesInUse=%d largest: %s".formatted(
          heap.usage.liveCount(), reader.stats().bytesInUse(), reader.largestHeld()));
      }
      while (!heap.regions.rows().isEmpty()) {
        heap.release(heap.regions.rows().getLast());
      }
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "bfc space=%s %s".formatted(space, stats());
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("allocator is closed: space=" + space);
    }
  }

  private Block granted(AllocationRequest request) {
    long handle = grant(request.bytes(), request.owner());
    try {
      return grants.blockOf(handle, this, space);
    } catch (Throwable e) {
      // The heap may be full: a grant that nobody hears of would be lost.
      release(handle);
      throw e;
    }
  }

  /** Tells the listener of a grant, which it may undo by throwing. */
  private long announced(int chunk) {
    ChunkTable chunks = heap.chunks;
    boolean kept = false;
    try {
      listener.granted(chunks.allocationId(chunk), chunks.address(chunk), chunks.bytes(chunk),
        chunks.requestedBytes(chunk), chunks.owner(chunk));
      kept = true;
    } finally {
      if (!kept) {
        heap.free(chunk);
      }
    }
    return grants.handleOf(chunk);
  }

  private void free(int chunk) {
    long id = heap.chunks.allocationId(chunk);
    long address = heap.chunks.address(chunk);
    long bytes = heap.chunks.bytes(chunk);
    heap.free(chunk);
    listener.freed(id, address, bytes);
  }

  private OutOfMemory refusal(AllocationRequest request) {
    long rounded = Alignment.up(Math.min(request.bytes(), BfcHeap.MAXIMUM_REQUEST_BYTES), Alignment.CHUNK_BYTES);
    OutOfMemory refusal = new OutOfMemory(request, rounded, reader.memoryMap());
    listener.refused(refusal);
    return refusal;
  }
}
