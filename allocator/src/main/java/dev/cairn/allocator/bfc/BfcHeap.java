package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.StreamProgress;
import dev.cairn.allocator.StreamTime;
import dev.cairn.allocator.source.SubAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Best fit with coalescing, without lock and without handles: chunks, bins and regions kept in step. A call that throws
 * leaves it as it was. Not safe for many threads.
 *
 * <p>Invariants, checked by {@link Invariants}:
 *
 * <pre>
 *  I1 tiled: the chunks of a region cover it, in address order, without a gap
 *  I2 linked: each chunk is the previous of its next; a region's ends are the ends of its chain
 *  I3 sized: address and bytes are multiples of 256, bytes positive; a chunk in use has at least the requested bytes
 *  I4 coalesced: no two neighbours are both free for all
 *  I5 binned: each free chunk is in its size class, in the tree of that class, and nothing else is
 *  I6 ordered: a tree is in order of size and address, no chunk lies above one of higher priority; parents and firsts
 *     are right
 *  I7 counted: the figures are the sums over chunks and regions, no peak is below its figure, the pool within the limit
 *  I8 identified: the ids of chunks in use were given out, each to one chunk
 *  I9 apart: regions are in address order and have no byte in common; the parts of each adjoin
 *  I10 accounted: each row of the chunk table is in one region's chain or vacant
 *  I11 awaited: each chunk that is free only after a time is waited for, once
 * </pre>
 */
final class BfcHeap {
  static final long MAXIMUM_REQUEST_BYTES = Alignment.down(Long.MAX_VALUE, Alignment.CHUNK_BYTES);
  /** Rows that one operation may need: for the parts before and behind a grant, for the grant, and for a new region. */
  private static final int ROOM = 4;

  final ChunkTable chunks = new ChunkTable();
  final FreeBins bins = new FreeBins();
  final RegionTable regions = new RegionTable();
  final Usage usage;
  final TimedFrees timed;
  final PoolExtender extender;
  final RegionReleaser releaser;
  final SizeRule sizes;
  private final SplitRule split;
  private final @Nullable NeighbourPlacement placement;
  private final BfcOptions.Collection collection;
  private final boolean isLean;
  private final boolean isPooled;
  private int step;

  BfcHeap(SubAllocator source, BfcOptions options, AllocationListener listener, StreamProgress progress) {
    this.sizes = new SizeRule(options.rounding());
    this.isPooled = options.pooling() == BfcOptions.Pooling.POOLED;
    this.split = new SplitRule(options.split());
    this.collection = options.collection();
    this.isLean = collection == BfcOptions.Collection.BEFORE_GROWTH || collection == BfcOptions.Collection.COMPACT;
    this.usage = new Usage(options.limitBytes());
    this.timed = new TimedFrees(this, options.clock(), progress);
    RegionGrower grower = new RegionGrower(source, options);
    this.extender = new PoolExtender(this, source, options, grower, listener);
    this.releaser = new RegionReleaser(this, source, grower, listener);
    this.placement = options.placement() == BfcOptions.Placement.BY_NEIGHBOURS ? new NeighbourPlacement(chunks) : null;
  }

  /** Sets the step that is noted with each grant from now on. */
  void beginStep(int newStep) {
    step = newStep;
  }

  int step() {
    return step;
  }

  /** A chunk of at least {@code requestedBytes}, now in use; {@link ChunkTable#NONE} when there is none to be had. */
  int allocate(long requestedBytes, int owner) {
    if (!isPooled || timed.hasStreams()) {
      return allocate(AllocationRequest.of(requestedBytes), owner);
    }
    if (requestedBytes > MAXIMUM_REQUEST_BYTES) {
      return NONE;
    }
    long wantedBytes = sizes.bytes(requestedBytes);
    chunks.ensureRoom(ROOM);
    timed.mergeSafe();
    int chunk = bins.bestFit(chunks, wantedBytes);
    if (chunk == NONE || (isLean && extender.isOversized(chunk, wantedBytes))) {
      chunk = findOtherwise(new Demand(wantedBytes, Alignment.CHUNK_BYTES, AllocationRequest.ANY_TIME, 0));
      if (chunk == NONE) {
        return NONE;
      }
    }
    return occupy(cut(chunk, wantedBytes, split.leavesRest(chunks.bytes(chunk), wantedBytes)), requestedBytes, owner);
  }

  private int cut(int chunk, long wantedBytes, boolean leavesRest) {
    return placement == null
      ? Cuts.of(this, chunk, wantedBytes, leavesRest)
      : Cuts.at(this, chunk, wantedBytes, leavesRest, placement);
  }

  /** Like {@link #allocate(long, int)}, with demands on alignment and time. */
  int allocate(AllocationRequest request, int owner) {
    if (request.bytes() > MAXIMUM_REQUEST_BYTES - request.alignmentBytes()) {
      return NONE;
    }
    long alignment = Math.max(request.alignmentBytes(), Alignment.CHUNK_BYTES);
    if (!isPooled && alignment == Alignment.CHUNK_BYTES) {
      int own = extender.reserve(request.bytes(), owner, step);
      if (own != NONE || bins.count() == 0) {
        return own;
      }
    }
    Demand demand = new Demand(sizes.bytes(request.bytes()), alignment, request.freedBefore(), request.stream());
    chunks.ensureRoom(ROOM);
    timed.mergeSafe();
    int chunk = demand.bestFit(this);
    if (chunk == NONE || (isLean && extender.isOversized(chunk, demand.bytes()))) {
      chunk = findOtherwise(demand);
      if (chunk == NONE) {
        return NONE;
      }
    }
    timed.ensureRoom(StreamTime.stream(chunks.freedAt(chunk)));
    long prefixBytes = demand.prefixBytes(chunks.address(chunk));
    boolean leavesRest = split.leavesRest(chunks.bytes(chunk) - prefixBytes, demand.bytes());
    if (placement != null && alignment == Alignment.CHUNK_BYTES
      && request.freedBefore() == AllocationRequest.ANY_TIME && !timed.hasStreams()) {
      return occupy(Cuts.at(this, chunk, demand.bytes(), leavesRest, placement), request.bytes(), owner);
    }
    Cuts.prefix(this, chunk, prefixBytes);
    return occupy(Cuts.of(this, chunk, demand.bytes(), leavesRest), request.bytes(), owner);
  }

  private int findOtherwise(Demand demand) {
    if (timed.hasStreams()) {
      int chunk = findOfStreams(demand);
      if (chunk != NONE) {
        return chunk;
      }
    }
    if (isLean || (collection == BfcOptions.Collection.BEFORE_A_PEAK && usage.wouldPeak(demand.bytes()))) {
      releaser.trim(0, IdleTimes.ANY);
    }
    if (extender.extend(demand)) {
      int chunk = demand.bestFit(this);
      if (chunk != NONE) {
        return chunk;
      }
    }
    if (timed.mergeUntil(demand)) {
      return demand.bestFit(this);
    }
    if (collection != BfcOptions.Collection.NEVER && releaser.collect(demand.bytes()) && extender.extend(demand)) {
      return demand.bestFit(this);
    }
    // A lean pool that cannot grow takes the chunk that it passed over.
    return isLean ? demand.bestFit(this) : NONE;
  }

  /**
   * Before the pool grows: what streams have passed meanwhile, then what is free on the demand's stream alone. A large
   * demand then has its stream wait, on the device, for another stream's memory.
   */
  private int findOfStreams(Demand demand) {
    timed.mergePassed();
    int chunk = demand.bestFit(this);
    if (chunk == NONE && timed.mergeUntil(demand)) {
      chunk = demand.bestFit(this);
    }
    return chunk == NONE && demand.isLarge() ? timed.takenOver(demand) : chunk;
  }

  private int occupy(int chunk, long requestedBytes, int owner) {
    chunks.occupy(chunk, usage.nextAllocationId(), requestedBytes, owner, step);
    usage.granted(chunks.bytes(chunk), requestedBytes);
    usage.settle(bins.count());
    return chunk;
  }

  /** Makes a chunk in use free, and one with its free neighbours. */
  void free(int chunk) {
    if (chunks.isReserved(chunk)) {
      extender.unreserve(chunk);
      return;
    }
    free(chunk, timed.stamp());
  }

  /** Like {@link #free(int)}; work that a stream was given up to a time of its order may still use the memory. */
  void free(int chunk, int stream, long time) {
    if (chunks.isReserved(chunk)) {
      extender.unreserve(chunk);
      return;
    }
    free(chunk, timed.stamp(stream, time));
  }

  private void free(int chunk, long freedAt) {
    usage.freed(chunks.bytes(chunk), chunks.requestedBytes(chunk));
    chunks.vacate(chunk, freedAt);
    if (freedAt == 0) {
      idle(coalesce(chunk));
    } else {
      bins.insert(chunks, chunk);
      timed.add(chunk, freedAt);
      idle(chunk);
    }
    usage.settle(bins.count());
  }

  AllocatorStats stats() {
    return usage.snapshot(bins.largestBytes(chunks), timed.heldBytes());
  }

  /** Makes one with its neighbours a chunk that is free for all and in no bin, and puts that into the bins. */
  int coalesce(int chunk) {
    int next = chunks.next(chunk);
    int previous = chunks.previous(chunk);
    boolean joinsNext = next != NONE && chunks.isFreeForAll(next);
    boolean joinsPrevious = previous != NONE && chunks.isFreeForAll(previous);
    if (!joinsNext && !joinsPrevious) {
      bins.insert(chunks, chunk);
      return chunk;
    }
    long address = chunks.address(chunk);
    long bytes = chunks.bytes(chunk);
    int whole = next;
    if (joinsNext) {
      bytes += chunks.bytes(next);
    }
    if (joinsPrevious) {
      if (joinsNext) {
        bins.remove(chunks, next);
        drop(next);
      }
      address = chunks.address(previous);
      bytes += chunks.bytes(previous);
      whole = previous;
    }
    drop(chunk);
    bins.resize(chunks, whole, address, bytes);
    return whole;
  }

  /** A new chunk before another one of its region. */
  int createBefore(int chunk, long address, long bytes) {
    int previous = chunks.previous(chunk);
    int created = chunks.create(address, bytes, previous, chunk);
    chunks.setPrevious(chunk, created);
    if (previous == NONE) {
      regions.holding(address).firstChunk = created;
    } else {
      chunks.setNext(previous, created);
    }
    return created;
  }

  /** A new chunk after another one of its region. */
  int createAfter(int chunk, long address, long bytes) {
    int next = chunks.next(chunk);
    int created = chunks.create(address, bytes, chunk, next);
    chunks.setNext(chunk, created);
    if (next == NONE) {
      regions.holding(address).lastChunk = created;
    } else {
      chunks.setPrevious(next, created);
    }
    return created;
  }

  /** Ends a chunk whose range a neighbour takes over. */
  void drop(int chunk) {
    int previous = chunks.previous(chunk);
    int next = chunks.next(chunk);
    if (previous == NONE) {
      regions.holding(chunks.address(chunk)).firstChunk = next;
    } else {
      chunks.setNext(previous, next);
    }
    if (next == NONE) {
      regions.holding(chunks.address(chunk)).lastChunk = previous;
    } else {
      chunks.setPrevious(next, previous);
    }
    chunks.destroy(chunk);
  }

  /** Notes that a free chunk is now all of its region, if it is. */
  void idle(int chunk) {
    if (chunks.isAlone(chunk)) {
      usage.idled(chunks.bytes(chunk));
      regions.holding(chunks.address(chunk)).idleSince = usage.operations();
    }
  }

  /** Notes that a free chunk is about to be all of its region no more. */
  void rouse(int chunk) {
    if (chunks.isAlone(chunk)) {
      usage.roused(chunks.bytes(chunk));
    }
  }
}
