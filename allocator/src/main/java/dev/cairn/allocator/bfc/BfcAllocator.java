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
import java.util.function.IntSupplier;
import java.util.function.Supplier;

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
  // chunk must be in use, by the very grant that the handle names. Maps and reports are made of snapshots, without the
  // lock.

  private final HeapLock lock = new HeapLock();
  private final MemorySpace space;
  private final AllocationListener listener;
  private final Owners owners = new Owners();
  private final BfcHeap heap;
  private final HeapReader reader;
  private final Grants grants;
  private final IdleTimes idleTimes = new IdleTimes();
  // What the listener would be told is read from several rows: 5 of 70 ns for a grant and its release.
  private final boolean isHeard;
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
    this.isHeard = !listener.equals(AllocationListener.silent());
    this.heap = new BfcHeap(source, options, listener);
    this.reader = new HeapReader(heap, owners);
    this.grants = new Grants(heap, reader);
  }

  @Override
  public MemorySpace space() {
    return space;
  }

  @Override
  public Block allocate(AllocationRequest request) {
    return request.bytes() == 0 ? emptyBlock() : block(request, () -> heap.allocate(request, owner(request)));
  }

  @Override
  public Block reserve(AllocationRequest request) {
    if (request.alignmentBytes() > Alignment.CHUNK_BYTES || request.freedBefore() != AllocationRequest.ANY_TIME) {
      throw new IllegalArgumentException("a region of its own can't be had with demands: " + request);
    }
    return request.bytes() == 0
      ? emptyBlock()
      : block(request, () -> heap.keeper.reserve(request.bytes(), owner(request), heap.step()));
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

  /** The number by which {@link #grant(long, int)} knows an owner; asked for once, before the first grant to it. */
  public int ownerNumber(Owner owner) {
    return locked(() -> owners.numberOf(owner));
  }

  /** Says that what is granted from now on is of this step, for reports. */
  public void beginStep(int step) {
    locked(() -> {
      heap.beginStep(step);
      return step;
    });
  }

  /**
   * Lets memory that was freed before {@code time}, as the clock of {@link BfcOptions} counts it, be used by all. Any
   * thread may say so at any time; a time before one that was said has no effect.
   */
  public void setSafeFrontier(long time) {
    heap.timed.setSafeFrontier(time);
  }

  /**
   * As {@link #grant(long, int)}, but a request that can't be met is answered with {@link Block#NO_HANDLE}: for memory
   * that the caller can do without.
   */
  public long tryGrant(long bytes, int owner) {
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
  public long tryGrant(long bytes) {
    return tryGrant(bytes, Owners.NOBODY);
  }

  /**
   * Grants {@code bytes} bytes to the owner with a number of {@link #ownerNumber}; the answer is a handle for
   * {@link #release}.
   *
   * @throws OutOfMemory when they can't be had
   * @throws IllegalArgumentException when {@code bytes} is not positive, or the owner isn't known
   */
  public long grant(long bytes, int owner) {
    long handle = tryGrant(bytes, owner);
    if (handle == Block.NO_HANDLE) {
      throw refusal(AllocationRequest.of(bytes, locked(() -> owners.owner(owner))));
    }
    return handle;
  }

  /** As {@link #grant(long, int)}, for nobody in particular. */
  public long grant(long bytes) {
    return grant(bytes, Owners.NOBODY);
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
    return locked(() -> {
      requireOpen();
      return grants.blockOf(handle, this, space);
    });
  }

  @Override
  public AllocatorStats stats() {
    return locked(reader::stats);
  }

  @Override
  public AllocatorStats clearStats() {
    return locked(() -> {
      AllocatorStats stats = reader.stats();
      heap.usage.clear();
      return stats;
    });
  }

  /** Java heap bytes that the rows of all chunks take. */
  public long metadataBytes() {
    return locked(heap.chunks::metadataBytes);
  }

  @Override
  public MemoryMap memoryMap() {
    return mapped(locked(reader::snapshot));
  }

  /** The map of a snapshot, made without the lock; where the Java heap had no room for that, again with it. */
  private MemoryMap mapped(HeapSnapshot snapshot) {
    MemoryMap map = snapshot.memoryMap(space);
    return locked(() -> {
      boolean torn = heap.chunks.isTorn(snapshot.chunks());
      heap.chunks.thaw();
      return torn ? reader.tornMap(space) : map;
    });
  }

  @Override
  public void validate() {
    locked(() -> {
      Invariants.check(heap);
      return heap;
    });
  }

  @Override
  public long trim(TrimPolicy policy) {
    return locked(() -> {
      requireOpen();
      heap.timed.mergeSafe();
      long before = heap.usage.poolBytes();
      heap.keeper.release(policy.keepFreeBytes(), idleTimes.before(policy.idleFor(), heap.usage.operations()));
      return before - heap.usage.poolBytes();
    });
  }

  /** Gives the regions back; those that the source won't take stay here, and closing may then be tried again. */
  @Override
  public void close() {
    locked(() -> {
      requireOpen();
      if (heap.usage.liveCount() > 0) {
        throw new IllegalStateException("blocks are still held: liveCount=%d bytesInUse=%d largest: %s".formatted(
          heap.usage.liveCount(), heap.usage.bytesInUse(), reader.largestHeld()));
      }
      heap.keeper.releaseAll();
      closed = true;
      return closed;
    });
  }

  @Override
  public String toString() {
    return "bfc space=%s %s".formatted(space, stats());
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("allocator is closed: space=" + space);
    }
  }

  private int owner(AllocationRequest request) {
    return owners.numberOf(request.owner());
  }

  private Block emptyBlock() {
    return locked(() -> {
      requireOpen();
      return Block.empty(this, space);
    });
  }

  /** What {@code allocate} grants, as a block; without the lock where it grants nothing. */
  private Block block(AllocationRequest request, IntSupplier allocate) {
    lock.lock();
    try {
      requireOpen();
      int chunk = allocate.getAsInt();
      if (chunk != NONE) {
        return blockOfNew(announced(chunk));
      }
    } finally {
      lock.unlock();
    }
    throw refusal(request);
  }

  private Block blockOfNew(long handle) {
    boolean kept = false;
    try {
      Block block = grants.blockOf(handle, this, space);
      kept = true;
      return block;
    } finally {
      // The Java heap may be full: a grant that nobody hears of would be lost.
      if (!kept) {
        free(grants.chunkOf(handle));
      }
    }
  }

  /** Tells the listener of a grant, which it may undo by throwing. */
  private long announced(int chunk) {
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

  private void free(int chunk) {
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

  /** Called without the lock: the map of a million chunks takes a while. */
  private OutOfMemory refusal(AllocationRequest request) {
    HeapSnapshot snapshot = locked(() -> {
      heap.usage.refused();
      return reader.snapshot();
    });
    long rounded = Alignment.up(Math.min(request.bytes(), BfcHeap.MAXIMUM_REQUEST_BYTES), Alignment.CHUNK_BYTES);
    OutOfMemory refusal = new OutOfMemory(request, rounded, mapped(snapshot));
    listener.refused(refusal);
    return refusal;
  }
}
