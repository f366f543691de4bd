package dev.cairn.allocator.storage;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.TrimPolicy;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the storage managers: each block has a region of its own, got from the source and one day given
 * back. Safe for use by many threads: one lock guards everything, and calls of source and listener are made with it
 * held. Owns its regions, not the source.
 *
 * <p>For more than 256-byte alignment the region is longer by the difference, and the block begins where it is aligned;
 * bytes before it count as free until the block goes, but serve no request. A block's handle holds its slot and grant,
 * so that a second, foreign or stale free is found before anything is touched. The ends of a pool mean nothing here.
 */
abstract sealed class RegionPerBlock implements RegionAllocator
  permits NaiveStorageManager, PooledStorageManager, UnpooledStorageManager {
  /** More than this is never asked for; a request with alignment and rounding stays within a long. */
  private static final long MAXIMUM_BYTES = Rounding.MAXIMUM_BYTES >> 1;
  private static final long UNATTAINABLE = Long.MAX_VALUE;

  final ReentrantLock lock = new ReentrantLock();
  final Holdings holdings;
  private final Rounding rounding;
  private final AllocationListener listener;
  private final HoldingsReader reader;
  private final MemorySpace space;
  private boolean closed;

  RegionPerBlock(Holdings holdings, Rounding rounding) {
    this.holdings = holdings;
    this.rounding = rounding;
    this.listener = holdings.listener;
    this.reader = new HoldingsReader(holdings);
    this.space = holdings.source.space();
  }

  /** Refuses a request that this kind doesn't serve. */
  abstract void requireServed(AllocationRequest request);

  /** Whether freed regions are kept for the next request. */
  abstract boolean pools();

  @Override
  public final MemorySpace space() {
    return space;
  }

  @Override
  public final Block allocate(AllocationRequest request) {
    return granted(request, false);
  }

  @Override
  public final Block reserve(AllocationRequest request) {
    boolean demands = request.alignmentBytes() > Alignment.CHUNK_BYTES
      || request.freedBefore() != AllocationRequest.ANY_TIME;
    if (demands) {
      throw new IllegalArgumentException("reserved memory takes no alignment and no time: " + request);
    }
    return granted(request, true);
  }

  private Block granted(AllocationRequest request, boolean bypass) {
    lock.lock();
    try {
      requireOpen();
      requireServed(request);
      return request.bytes() == 0 ? Block.empty(this, space) : fromChunk(request, bypass);
    } finally {
      lock.unlock();
    }
  }

  private Block fromChunk(AllocationRequest request, boolean bypass) {
    boolean kept = false;
    try {
      Chunk chunk = chunkFor(request, bypass);
      if (chunk == null) {
        throw refusal(request);
      }
      Block block = announced(chunk, request, bypass);
      kept = true;
      return block;
    } finally {
      // The Java heap may be full: the new region must not stay without a pool.
      if (!kept && !pools()) {
        holdings.giveBackIdle(TrimPolicy.EVERYTHING);
      }
    }
  }

  /**
   * A chunk for the request: a reused one, a new one, or a new one after all idle regions were returned; null if there
   * is none.
   */
  private @Nullable Chunk chunkFor(AllocationRequest request, boolean bypass) {
    long bytes = regionBytes(request);
    Chunk chunk = pools() && !bypass ? holdings.idle.find(bytes, request.freedBefore()) : null;
    if (chunk == null) {
      chunk = bytes == UNATTAINABLE ? null : holdings.take(bytes);
    }
    // A request that even an empty pool couldn't meet is no reason to empty it.
    boolean worthEmptying = chunk == null && bytes <= holdings.attainableBytes()
      && bytes <= holdings.source.maximumRegionBytes();
    return worthEmptying && holdings.giveBackIdle(TrimPolicy.EVERYTHING) > 0 ? holdings.take(bytes) : chunk;
  }

  private Block announced(Chunk chunk, AllocationRequest request, boolean bypass) {
    long address = Alignment.up(chunk.region.address(), Math.max(request.alignmentBytes(), Alignment.CHUNK_BYTES));
    long prefixBytes = address - chunk.region.address();
    MemorySegment segment = space.isHostAccessible()
      ? chunk.segment(prefixBytes, request.bytes())
      : MemorySegment.NULL;
    long id = holdings.figures.nextAllocationId();
    Block block = new Block(this, Chunk.handle(chunk.slot, id), id, address, request.bytes(),
      chunk.region.bytes() - prefixBytes, space, segment);
    // Every object on the Java heap is made by now, so that nothing can fail from here on.
    chunk.isBypass = bypass;
    holdings.hold(chunk, request.bytes(), prefixBytes, request.owner());
    listener.granted(id, address, block.bytes(), block.requestedBytes(), request.owner());
    return block;
  }

  private long regionBytes(AllocationRequest request) {
    long alignmentBytes = Math.max(request.alignmentBytes(), Alignment.CHUNK_BYTES);
    if (request.bytes() > MAXIMUM_BYTES || alignmentBytes > MAXIMUM_BYTES) {
      return UNATTAINABLE;
    }
    long rounded = rounding.round(request.bytes() + alignmentBytes - Alignment.CHUNK_BYTES);
    return Alignment.up(rounded, holdings.source.granularityBytes());
  }

  private OutOfMemory refusal(AllocationRequest request) {
    holdings.figures.refused();
    long bytes = regionBytes(request);
    OutOfMemory refusal = new OutOfMemory(request, bytes == UNATTAINABLE ? MAXIMUM_BYTES : bytes, reader.memoryMap());
    StorageOptions options = holdings.options;
    if (options.reservePercent() > 0) {
      refusal = refusal.with("reservePercent=%d of %d bytes stay with the source: reserveBytes=%d".formatted(
        options.reservePercent(), options.limitBytes(), options.reserveBytes()));
    }
    listener.refused(refusal);
    return refusal;
  }

  @Override
  public final void free(Block block) {
    takeBack(block, false);
  }

  @Override
  public final void freeDirectly(Block block) {
    takeBack(block, true);
  }

  private void takeBack(Block block, boolean directly) {
    if (block.issuer() != this) {
      throw new IllegalArgumentException("block was granted by another allocator: " + block);
    }
    lock.lock();
    try {
      requireOpen();
      if (block.isEmpty()) {
        return;
      }
      Chunk chunk = reader.chunkOf(block);
      if (directly || chunk.isBypass || !pools()) {
        holdings.giveBack(chunk);
      } else {
        holdings.makeIdle(chunk);
        listener.freed(block.allocationId(), block.address(), block.bytes());
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final long trim(TrimPolicy policy) {
    lock.lock();
    try {
      requireOpen();
      return holdings.giveBackIdle(policy);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final AllocatorStats stats() {
    lock.lock();
    try {
      return reader.stats();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final AllocatorStats clearStats() {
    lock.lock();
    try {
      AllocatorStats stats = reader.stats();
      holdings.figures.clear();
      return stats;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final MemoryMap memoryMap() {
    lock.lock();
    try {
      return reader.memoryMap();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final void validate() {
    lock.lock();
    try {
      HoldingsCheck.check(holdings);
    } finally {
      lock.unlock();
    }
  }

  /** Gives the regions back; regions that the source refuses stay here, and closing may then be tried again. */
  @Override
  public final void close() {
    lock.lock();
    try {
      requireOpen();
      if (holdings.figures.liveCount() > 0) {
        throw new IllegalStateException("blocks are still in use: space=%s liveCount=%d bytesInUse=%d largest: %s"
          .formatted(space, holdings.figures.liveCount(), reader.stats().bytesInUse(), reader.largestHeld()));
      }
      for (Chunk chunk = holdings.idle.oldest(); chunk != null; chunk = holdings.idle.oldest()) {
        holdings.giveBack(chunk);
      }
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  final void requireOpen() {
    if (closed) {
      throw new IllegalStateException("allocator is closed: space=" + space);
    }
  }
}
