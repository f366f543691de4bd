package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.SubAllocator;

/**
 * The face of an allocator that speaks primitive handles and puts nothing on the Java heap: the hot path. Safe for use
 * by many threads.
 */
sealed abstract class HandleFace permits BfcAllocator {
  final HeapLock lock = new HeapLock();
  final MemorySpace space;
  final AllocationListener listener;
  final Owners owners = new Owners();
  final BfcHeap heap;
  final HeapReader reader;
  final Grants grants;
  final MapMaker maps;
  // What the listener would be told is read from several rows: 5 of 70 ns for a grant and its release.
  private final boolean isHeard;
  private boolean closed;

  HandleFace(SubAllocator source, BfcOptions options, AllocationListener listener) {
    this.space = source.space();
    if (space.isHostAccessible() && source.supportsCoalescing()) {
      throw new IllegalArgumentException("regions with segments can't merge: space=%s".formatted(space));
    }
    this.listener = listener;
    this.isHeard = !listener.equals(AllocationListener.silent());
    this.heap = new BfcHeap(source, options, listener);
    this.reader = new HeapReader(heap, owners);
    this.grants = new Grants(heap, reader);
    this.maps = new MapMaker(lock, heap, reader, space);
  }

  /** The number by which {@link #grant(long, int)} knows an owner; asked for once, before the first grant to it. */
  public final int ownerNumber(Owner owner) {
    return lock.with(() -> owners.numberOf(owner));
  }

  /** Says that what is granted from now on is of this step, for reports. */
  public final void beginStep(int step) {
    lock.with(() -> {
      heap.beginStep(step);
      return step;
    });
  }

  /**
   * Lets memory that was freed before {@code time}, as the clock of {@link BfcOptions} counts it, be used by all. Any
   * thread may say so at any time; a time before one that was said has no effect.
   */
  public final void setSafeFrontier(long time) {
    heap.timed.setSafeFrontier(time);
  }

  /**
   * As {@link #grant(long, int)}, but a request that can't be met is answered with {@link Block#NO_HANDLE}: for memory
   * that the caller can do without.
   */
  public final long tryGrant(long bytes, int owner) {
    lock.lock();
    try {
      requireOpen();
      grants.requirePlain(bytes, owner, owners);
      int chunk = heap.allocate(bytes, owner);
      return chunk == NONE ? Block.NO_HANDLE : announced(chunk);
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #tryGrant(long, int)}, for nobody in particular. */
  public final long tryGrant(long bytes) {
    return tryGrant(bytes, Owners.NOBODY);
  }

  /**
   * Grants {@code bytes} bytes to the owner with a number of {@link #ownerNumber}; the answer is a handle for
   * {@link #release}.
   *
   * @throws OutOfMemory when they can't be had
   * @throws IllegalArgumentException when {@code bytes} is not positive, or the owner isn't known
   */
  public final long grant(long bytes, int owner) {
    long handle = tryGrant(bytes, owner);
    if (handle == Block.NO_HANDLE) {
      throw refusal(AllocationRequest.of(bytes, lock.with(() -> owners.owner(owner))));
    }
    return handle;
  }

  /** As {@link #grant(long, int)}, for nobody in particular. */
  public final long grant(long bytes) {
    return grant(bytes, Owners.NOBODY);
  }

  /**
   * Takes back what a handle stands for.
   *
   * @throws IllegalArgumentException when no grant of this allocator is held under the handle; nothing is changed then
   */
  public final void release(long handle) {
    lock.lock();
    try {
      requireOpen();
      free(grants.chunkOf(handle));
    } finally {
      lock.unlock();
    }
  }

  /** First address of a grant that is held. */
  public final long addressOf(long handle) {
    lock.lock();
    try {
      requireOpen();
      return heap.chunks.address(grants.chunkOf(handle));
    } finally {
      lock.unlock();
    }
  }

  final void requireOpen() {
    if (closed) {
      throw new IllegalStateException("allocator is closed: space=" + space);
    }
  }

  /** Notes that the allocator is closed. */
  final boolean end() {
    closed = true;
    return closed;
  }

  /** Tells the listener of a grant, which it may undo by throwing. */
  final long announced(int chunk) {
    if (!isHeard) {
      return grants.handleOf(chunk);
    }
    ChunkTable chunks = heap.chunks;
    boolean kept = false;
    try {
      listener.granted(chunks.allocationId(chunk), chunks.address(chunk), chunks.bytes(chunk),
        chunks.requestedBytes(chunk), owners.owner(chunks.owner(chunk)));
      kept = true;
    } finally {
      if (!kept) {
        heap.free(chunk);
      }
    }
    return grants.handleOf(chunk);
  }

  final void free(int chunk) {
    if (!isHeard) {
      heap.free(chunk);
      return;
    }
    long id = heap.chunks.allocationId(chunk);
    long address = heap.chunks.address(chunk);
    long bytes = heap.chunks.bytes(chunk);
    heap.free(chunk);
    listener.freed(id, address, bytes);
  }

  final OutOfMemory refusal(AllocationRequest request) {
    OutOfMemory refusal = maps.refusal(request);
    listener.refused(refusal);
    return refusal;
  }
}
