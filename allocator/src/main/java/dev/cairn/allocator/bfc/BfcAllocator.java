package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.BlockMover;
import dev.cairn.allocator.Listeners;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.StreamProgress;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.SubAllocator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A best-fit allocator with coalescing over one memory source. Thread-safe: one lock guards all state. It owns its
 * regions and returns them on {@link #close()}; it does not own the source.
 *
 * <p>{@link #allocate} and {@link #free} use {@link Block}s. {@link #tryGrant}, {@link #grant} and {@link #release} use
 * primitive handles and create no Java objects. Either a block or its handle can free the memory.
 */
public final class BfcAllocator implements Allocator {
  // Implementation note. BfcHeap does the work: round up to 256; take the smallest free chunk that fits, the lowest of
  // those; split it if the policy says so; else extend by a region and look again. A free merges with both neighbours
  // at once, so that free chunks never adjoin. Maps and reports are made of snapshots, without the lock.

  private final HeapLock lock = new HeapLock();
  private final MemorySpace space;
  private final AllocationListener listener;
  private final Owners owners = new Owners();
  private final IdleTimes idleTimes;
  final BfcHeap heap;
  private final Handles handles;
  private final MapMaker maps;
  // Without a listener, no facts are read for it: that saves 5 of 70 ns for a grant and its release.
  private final boolean isHeard;
  private final @Nullable Compaction compaction;
  private final boolean compacts;
  private boolean closed;

  /** An allocator over {@code source} without a listener. */
  public BfcAllocator(SubAllocator source, BfcOptions options) {
    this(source, options, AllocationListener.silent());
  }

  /**
   * An allocator over {@code source}; takes its first region at the first request.
   *
   * @throws IllegalArgumentException when the source merges regions of host-accessible memory
   */
  public BfcAllocator(SubAllocator source, BfcOptions options, AllocationListener listener) {
    this(source, options, listener, StreamProgress.NONE);
  }

  /**
   * An allocator like {@link #BfcAllocator(SubAllocator, BfcOptions, AllocationListener)}, but for memory that streams
   * may still use after a free ({@link #free(Block, int, long)}).
   *
   * @param progress asked before the pool grows, and before it is trimmed
   */
  public BfcAllocator(SubAllocator source, BfcOptions options, AllocationListener listener, StreamProgress progress) {
    this(source, options, listener, progress, null, System::nanoTime);
  }

  /**
   * An allocator like {@link #BfcAllocator(SubAllocator, BfcOptions, AllocationListener)}, but for blocks that may
   * move: by {@link #compact}, and before a refusal with {@link BfcOptions.Collection#COMPACT}.
   *
   * @param mover moves the contents of blocks
   */
  public BfcAllocator(SubAllocator source, BfcOptions options, AllocationListener listener, BlockMover mover) {
    this(source, options, listener, StreamProgress.NONE, mover, System::nanoTime);
  }

  /** @param nanoTime the clock by which regions are idle */
  BfcAllocator(SubAllocator source, BfcOptions options, AllocationListener listener, LongSupplier nanoTime) {
    this(source, options, listener, StreamProgress.NONE, null, nanoTime);
  }

  private BfcAllocator(SubAllocator source, BfcOptions options, AllocationListener listener, StreamProgress progress,
    @Nullable BlockMover mover, LongSupplier nanoTime) {
    this.space = source.space();
    this.idleTimes = new IdleTimes(nanoTime);
    if (space.isHostAccessible() && source.supportsCoalescing()) {
      throw new IllegalArgumentException("regions of host memory cannot merge: space=%s".formatted(space));
    }
    this.listener = Listeners.of(listener);
    this.isHeard = !this.listener.equals(AllocationListener.silent());
    this.heap = new BfcHeap(source, options, this.listener, progress);
    this.handles = new Handles(heap, owners);
    this.maps = new MapMaker(lock, heap, owners, source);
    this.compaction = mover == null
      ? null
      : new Compaction(heap, handles, owners, this, space, mover, this.listener);
    this.compacts = compaction != null && options.collection() == BfcOptions.Collection.COMPACT;
  }

  @Override
  public MemorySpace space() {
    return space;
  }

  /** The number of an owner for {@link #grant(long, int)}. Call this once for each owner. */
  public int ownerNumber(Owner owner) {
    lock.lock();
    try {
      return owners.numberOf(owner);
    } finally {
      lock.unlock();
    }
  }

  /** Labels all further allocations with this step, for reports. */
  public void beginStep(int step) {
    lock.lock();
    try {
      heap.beginStep(step);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets all requests use memory that was freed before {@code time}. A time before the current frontier has no effect.
   */
  public void setSafeFrontier(long time) {
    heap.timed.setSafeFrontier(time);
  }

  /** Asks how far the streams have come; returns how many bytes of freed memory still wait for them. */
  public long awaitedBytes() {
    lock.lock();
    try {
      heap.timed.mergePassed();
      return heap.timed.heldBytes();
    } finally {
      lock.unlock();
    }
  }

  /** Like {@link #grant(long, int)}, but returns {@link Block#NO_HANDLE} when there is not enough memory. */
  public long tryGrant(long bytes, int owner) {
    lock.lock();
    try {
      requireOpen();
      if (bytes <= 0 || !owners.isKnown(owner)) {
        throw new IllegalArgumentException("bytes must be positive, and the owner known: bytes=%d owner=%d".formatted(
          bytes, owner));
      }
      int chunk = heap.allocate(bytes, owner);
      if (chunk == NONE && makesRoom(AllocationRequest.of(bytes), false)) {
        chunk = heap.allocate(bytes, owner);
      }
      if (chunk == NONE) {
        return Block.NO_HANDLE;
      }
      announce(chunk);
      return handles.handleOf(heap.chunks, chunk);
    } finally {
      lock.unlock();
    }
  }

  /** Like {@link #tryGrant(long, int)}, without an owner. */
  public long tryGrant(long bytes) {
    return tryGrant(bytes, Owners.NOBODY);
  }

  /**
   * Allocates bytes for the owner with this {@link #ownerNumber}, and returns a handle for {@link #release}.
   *
   * @throws OutOfMemory when there is not enough memory
   * @throws IllegalArgumentException when {@code bytes} is not positive, or the owner number is unknown
   */
  public long grant(long bytes, int owner) {
    long handle = tryGrant(bytes, owner);
    if (handle == Block.NO_HANDLE) {
      throw refusal(AllocationRequest.of(bytes, ownerOf(owner)));
    }
    return handle;
  }

  private Owner ownerOf(int number) {
    lock.lock();
    try {
      return owners.owner(number);
    } finally {
      lock.unlock();
    }
  }

  /** Like {@link #grant(long, int)}, without an owner. */
  public long grant(long bytes) {
    return grant(bytes, Owners.NOBODY);
  }

  /** @throws IllegalArgumentException when the handle belongs to no allocation in use; nothing changes then */
  public void release(long handle) {
    lock.lock();
    try {
      requireOpen();
      free(handles.chunkOf(heap.chunks, handle));
    } finally {
      lock.unlock();
    }
  }

  /** The first address of an allocation in use. */
  public long addressOf(long handle) {
    lock.lock();
    try {
      requireOpen();
      return heap.chunks.address(handles.chunkOf(heap.chunks, handle));
    } finally {
      lock.unlock();
    }
  }

  /** The block of an allocation in use, for callers that need its segment. */
  public Block blockOf(long handle) {
    lock.lock();
    try {
      requireOpen();
      return handles.blockOf(handles.chunkOf(heap.chunks, handle), this, space);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Block allocate(AllocationRequest request) {
    Block granted;
    lock.lock();
    try {
      requireOpen();
      granted = request.bytes() == 0 ? Block.empty(this, space) : allocated(request);
    } finally {
      lock.unlock();
    }
    if (granted == null) {
      throw refusal(request);
    }
    return granted;
  }

  @Override
  public Block reserve(AllocationRequest request) {
    if (request.alignmentBytes() > Alignment.CHUNK_BYTES || request.freedBefore() != AllocationRequest.ANY_TIME) {
      throw new IllegalArgumentException("reserved memory takes no alignment and no time: " + request);
    }
    Block granted;
    lock.lock();
    try {
      requireOpen();
      granted = request.bytes() == 0 ? Block.empty(this, space) : reserved(request);
    } finally {
      lock.unlock();
    }
    if (granted == null) {
      throw refusal(request).with("the request needs a region of its own; free bytes of the pool cannot serve it");
    }
    return granted;
  }

  private @Nullable Block allocated(AllocationRequest request) {
    int owner = owners.numberOf(request.owner(), heap.chunks);
    int chunk = heap.allocate(request, owner);
    return newBlock(chunk == NONE && makesRoom(request, false) ? heap.allocate(request, owner) : chunk);
  }

  private @Nullable Block reserved(AllocationRequest request) {
    int owner = owners.numberOf(request.owner(), heap.chunks);
    int chunk = heap.extender.reserve(request.bytes(), owner, heap.step());
    return newBlock(chunk == NONE && makesRoom(request, true)
      ? heap.extender.reserve(request.bytes(), owner, heap.step())
      : chunk);
  }

  /** Whether blocks moved for a request that was refused. */
  private boolean makesRoom(AllocationRequest request, boolean isReserve) {
    return compacts && compaction != null
      && compaction.makeRoom(Demand.roundedBytes(request, heap.sizes), isReserve);
  }

  /** Null if there is no such chunk. */
  private @Nullable Block newBlock(int chunk) {
    if (chunk == NONE) {
      return null;
    }
    boolean made = false;
    try {
      Block block = handles.blockOf(chunk, this, space);
      made = true;
      announce(chunk);
      return block;
    } finally {
      // The Java heap may be full: a grant without a holder would be lost.
      if (!made) {
        heap.free(chunk);
      }
    }
  }

  private OutOfMemory refusal(AllocationRequest request) {
    OutOfMemory refusal = maps.refusal(request, listener);
    listener.refused(refusal);
    return refusal;
  }

  @Override
  public void free(Block block) {
    requireIssued(block);
    if (!block.isEmpty()) {
      lock.lock();
      try {
        requireOpen();
        free(handles.chunkOf(block));
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Like {@link #free(Block)}, while a stream may still use the memory. It serves requests of that stream at once
   * ({@link AllocationRequest#stream}), and all others when the stream has passed the time.
   *
   * @param stream the stream's number, at least 1
   * @param time in the order of the stream: the end of the last work that uses the memory
   */
  public void free(Block block, int stream, long time) {
    requireIssued(block);
    if (!block.isEmpty()) {
      lock.lock();
      try {
        requireOpen();
        int chunk = handles.chunkOf(block);
        long id = heap.chunks.allocationId(chunk);
        long address = heap.chunks.address(chunk);
        long bytes = heap.chunks.bytes(chunk);
        heap.free(chunk, stream, time);
        listener.freed(id, address, bytes);
      } finally {
        lock.unlock();
      }
    }
  }

  private void requireIssued(Block block) {
    if (block.issuer() != this) {
      throw new IllegalArgumentException("block was granted by another allocator: " + block);
    }
  }

  private void announce(int chunk) {
    if (isHeard) {
      ChunkTable chunks = heap.chunks;
      listener.granted(chunks.allocationId(chunk), chunks.address(chunk), chunks.bytes(chunk),
        chunks.requestedBytes(chunk), owners.owner(chunks.owner(chunk)));
    }
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

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("allocator is closed: space=" + space);
    }
  }

  @Override
  public AllocatorStats stats() {
    lock.lock();
    try {
      return heap.stats();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public AllocatorStats clearStats() {
    lock.lock();
    try {
      AllocatorStats stats = heap.stats();
      heap.usage.clear();
      return stats;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public MemoryMap memoryMap() {
    return maps.map();
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
  public long trim(TrimPolicy policy) {
    lock.lock();
    try {
      requireOpen();
      heap.timed.mergeSafe();
      heap.timed.mergePassed();
      return heap.releaser.trim(policy.keepFreeBytes(), idleTimes.before(policy.idleFor(), heap.usage.operations()));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Moves blocks that their owners let it move, so that free memory lies together, and returns empty regions to the
   * source. Other calls wait meanwhile. If a copy fails, blocks that moved before stay in their new places.
   *
   * @return bytes moved
   * @throws IllegalStateException when closed, or when the allocator was made without a {@link BlockMover}
   */
  public long compact() {
    lock.lock();
    try {
      requireOpen();
      if (compaction == null) {
        throw new IllegalStateException("blocks of this allocator cannot move: space=" + space);
      }
      return compaction.compact();
    } finally {
      lock.unlock();
    }
  }

  /** Like {@link #close}, also while blocks are in use if their owners are gone. Nothing may use a block afterwards. */
  public void abandon() {
    lock.lock();
    try {
      requireOpen();
      for (int chunk = 0; chunk < heap.chunks.rows(); chunk++) {
        if (heap.chunks.isInUse(chunk)) {
          free(chunk);
        }
      }
    } finally {
      lock.unlock();
    }
    close();
  }

  /** Returns the regions to the source. Regions that the source does not accept stay, and you may call close again. */
  @Override
  public void close() {
    lock.lock();
    try {
      requireOpen();
      if (heap.usage.liveCount() > 0) {
        throw new IllegalStateException("blocks are still in use: liveCount=%d bytesInUse=%d largest: %s".formatted(
          heap.usage.liveCount(), heap.usage.bytesInUse(), handles.largestHeld()));
      }
      heap.releaser.releaseAll();
      closed = true;
    } finally {
      lock.unlock();
    }
  }
}
