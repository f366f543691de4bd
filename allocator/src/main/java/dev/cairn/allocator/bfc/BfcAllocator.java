package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.SubAllocator;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Best fit with coalescing over one source. Safe for use by many threads: one lock guards everything. Owns the regions
 * it takes and returns them all on {@link #close()}; does not own the source.
 *
 * <p>It has two faces. {@link #allocate} and {@link #free} speak {@link Block}s; {@link #tryGrant}, {@link #grant} and
 * {@link #release} speak primitive handles and put nothing on the heap. A block and its handle are the same grant:
 * either may be used to give it back.
 */
public final class BfcAllocator extends HandleFace {
  // Implementation note. BfcHeap does the work: round up to 256; take the smallest free chunk that fits, the lowest of
  // those; split it if the policy says so; else extend by a region and look again. A free merges with both neighbours
  // at once, so that free chunks never adjoin. A bad free is told by the handle alone, before anything is touched: its
  // chunk must be in use, by the very grant that the handle names. Maps and reports are made of snapshots, without the
  // lock.

  static {
    HeapLock.know(StackOverflowError.class);
  }

  private final IdleTimes idleTimes = new IdleTimes();

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
    super(source, options, listener);
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
    if (request.bytes() == 0) {
      return emptyBlock();
    }
    try {
      return block(request, () -> heap.keeper.reserve(request.bytes(), owner(request), heap.step()));
    } catch (OutOfMemory e) {
      throw e.with("a region of its own was asked for, which free bytes of the pool can't serve");
    }
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
      lock.unlock();
    } catch (Throwable e) {
      lock.holder = e instanceof StackOverflowError ? HeapLock.IN_DOUBT : HeapLock.NOBODY;
      throw e;
    }
  }

  @Override
  public Block blockOf(long handle) {
    return lock.with(() -> {
      requireOpen();
      return grants.blockOf(handle, this, space);
    });
  }

  @Override
  public AllocatorStats stats() {
    return lock.with(reader::stats);
  }

  @Override
  public AllocatorStats clearStats() {
    return lock.with(() -> {
      AllocatorStats stats = reader.stats();
      heap.usage.clear();
      return stats;
    });
  }

  /** Java heap bytes that the rows of all chunks take. */
  public long metadataBytes() {
    return lock.with(heap.chunks::metadataBytes);
  }

  @Override
  public MemoryMap memoryMap() {
    return maps.map();
  }

  @Override
  public void validate() {
    lock.with(() -> {
      Invariants.check(heap);
      return heap;
    });
  }

  @Override
  public long trim(TrimPolicy policy) {
    return lock.with(() -> {
      requireOpen();
      heap.timed.mergeSafe();
      long before = heap.usage.poolBytes();
      heap.releaser.trim(policy.keepFreeBytes(), idleTimes.before(policy.idleFor(), heap.usage.operations()));
      return before - heap.usage.poolBytes();
    });
  }

  /** Gives the regions back; those that the source won't take stay here, and closing may then be tried again. */
  @Override
  public void close() {
    lock.with(() -> {
      requireOpen();
      if (heap.usage.liveCount() > 0) {
        throw new IllegalStateException("blocks are still held: liveCount=%d bytesInUse=%d largest: %s".formatted(
          heap.usage.liveCount(), heap.usage.bytesInUse(), reader.largestHeld()));
      }
      heap.releaser.releaseAll();
      return end();
    });
  }

  @Override
  public String toString() {
    return "bfc space=%s %s".formatted(space, stats());
  }

  private int owner(AllocationRequest request) {
    return owners.numberOf(request.owner());
  }

  private Block emptyBlock() {
    return lock.with(() -> {
      requireOpen();
      return Block.empty(this, space);
    });
  }

  /** What {@code allocate} grants, as a block; without the lock where it grants nothing. */
  private Block block(AllocationRequest request, IntSupplier allocate) {
    @Nullable
    Block granted;
    lock.lock();
    try {
      requireOpen();
      int chunk = allocate.getAsInt();
      granted = chunk == NONE ? null : blockOfNew(announced(chunk));
      lock.unlock();
    } catch (Throwable e) {
      lock.holder = e instanceof StackOverflowError ? HeapLock.IN_DOUBT : HeapLock.NOBODY;
      throw e;
    }
    if (granted == null) {
      throw refusal(request);
    }
    return granted;
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
        free(grants.chunkOf(heap.chunks, handle));
      }
    }
  }
}
