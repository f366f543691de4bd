package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.HandleAllocator;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.SubAllocator;

/** The hot path of {@link BfcAllocator}: what is done by primitive handles. Safe for use by many threads. */
sealed abstract class HandleFace implements HandleAllocator permits BfcAllocator {
  static {
    HeapLock.know(StackOverflowError.class);
  }

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
    this.lock.whenInDoubt(() -> Invariants.check(heap));
    this.reader = new HeapReader(heap, owners);
    this.grants = new Grants(heap, reader);
    this.maps = new MapMaker(lock, heap, reader, space);
  }

  @Override
  public final int ownerNumber(Owner owner) {
    return lock.with(() -> owners.numberOf(owner));
  }

  @Override
  public final void beginStep(int step) {
    lock.with(() -> {
      heap.beginStep(step);
      return step;
    });
  }

  @Override
  public final void setSafeFrontier(long time) {
    heap.timed.setSafeFrontier(time);
  }

  @Override
  public final long tryGrant(long bytes, int owner) {
    lock.lock();
    try {
      requireOpen();
      grants.requirePlain(bytes, owner, owners);
      int chunk = heap.allocate(bytes, owner);
      long handle = chunk == NONE ? Block.NO_HANDLE : announced(chunk);
      lock.unlock();
      return handle;
    } catch (Throwable e) {
      lock.holder = e instanceof StackOverflowError ? HeapLock.IN_DOUBT : HeapLock.NOBODY;
      throw e;
    }
  }

  @Override
  public final long grant(long bytes, int owner) {
    long handle = tryGrant(bytes, owner);
    if (handle == Block.NO_HANDLE) {
      throw refusal(AllocationRequest.of(bytes, lock.with(() -> owners.owner(owner))));
    }
    return handle;
  }

  @Override
  public final void release(long handle) {
    lock.lock();
    try {
      requireOpen();
      free(grants.chunkOf(heap.chunks, handle));
      lock.unlock();
    } catch (Throwable e) {
      lock.holder = e instanceof StackOverflowError ? HeapLock.IN_DOUBT : HeapLock.NOBODY;
      throw e;
    }
  }

  @Override
  public final long addressOf(long handle) {
    lock.lock();
    try {
      requireOpen();
      long address = heap.chunks.address(grants.chunkOf(heap.chunks, handle));
      lock.unlock();
      return address;
    } catch (Throwable e) {
      lock.holder = e instanceof StackOverflowError ? HeapLock.IN_DOUBT : HeapLock.NOBODY;
      throw e;
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
      return grants.handleOf(heap.chunks, chunk);
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
    return grants.handleOf(heap.chunks, chunk);
  }

  final void free(int chunk) {
    if (!isHeard) {
      heap.free(chunk);
      return;
    }
    long id = heap.chunks.allocationId(chunk);
    long address = heap.chunks.address(chunk);
    long bytes = heap.chunks.bytes(chunk);
    try {
      heap.free(chunk);
    } catch (RuntimeException | Error e) {
      if (!heap.chunks.isInUse(chunk)) {
        tellFreed(listener, id, address, bytes, e);
      }
      throw e;
    }
    listener.freed(id, address, bytes);
  }

  /** Tells of a free that went through although the listener threw at its region's release: that is what is thrown. */
  static void tellFreed(AllocationListener listener, long id, long address, long bytes, Throwable failure) {
    try {
      listener.freed(id, address, bytes);
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  final OutOfMemory refusal(AllocationRequest request) {
    OutOfMemory refusal = maps.refusal(request, listener);
    listener.refused(refusal);
    return refusal;
  }
}
