package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.HandleAllocator;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.SubAllocator;
import java.lang.foreign.MemorySegment;

/**
 * The heap of a {@link BfcAllocator} behind magazines of freed chunks, for many threads: small requests and frees
 * seldom meet the heap's lock. Safe for use by many threads. Owns the regions it takes and returns them all on
 * {@link #close()}; does not own the source.
 *
 * <p>It has the two faces of {@link BfcAllocator}, with handles of its own. What differs: addresses are not XLA's,
 * since a chunk that was given back may be used again before it has merged; ids of grants are taken in ranges by each
 * stripe; and the figures. Parked bytes count as free, though not as the largest free chunk and not as free splits, and
 * are shown in maps as free chunks, which may adjoin others. Peaks are those of the heap, parked bytes included: no
 * lower than the truth, and at most what {@link FrontOptions} lets be parked above it. Before the pool grows and before
 * a request is refused all that is parked goes back to the heap. With a clock or two ends nothing is parked.
 */
public final class FrontedAllocator implements HandleAllocator {
  private final MemorySpace space;
  private final AllocationListener listener;
  final Front front;
  private final FrontSlots slots;
  private final FrontReader reader;
  private final FrontSegments segments;

  /** An allocator with the usual magazines that nobody listens to. */
  public FrontedAllocator(SubAllocator source, BfcOptions options) {
    this(source, options, FrontOptions.DEFAULT, AllocationListener.silent());
  }

  /**
   * An allocator over {@code source}; takes its first region at the first request. The listener hears of holders'
   * grants and frees, not of what is parked, by one thread after the other but for refusals.
   *
   * @throws IllegalArgumentException when the source merges regions that the host has segments of, or for a pool that
   *     collects before growth, which passes over what a front takes for granted
   */
  public FrontedAllocator(SubAllocator source, BfcOptions options, FrontOptions frontOptions,
    AllocationListener listener) {
    if (options.collection() == BfcOptions.Collection.BEFORE_GROWTH) {
      throw new IllegalArgumentException("a pool that passes over idle regions can't have a front: " + options);
    }
    this.space = source.space();
    this.listener = listener;
    this.front = new Front(source, options, frontOptions, new SerialListener(listener));
    this.slots = front.slots;
    this.reader = new FrontReader(front);
    this.segments = new FrontSegments(front.depot, slots);
  }

  @Override
  public MemorySpace space() {
    return space;
  }

  @Override
  public int ownerNumber(Owner owner) {
    return front.owners.numberOf(owner);
  }

  @Override
  public void beginStep(int step) {
    front.beginStep(step);
  }

  @Override
  public void setSafeFrontier(long time) {
    front.depot.heap.timed.setSafeFrontier(time);
  }

  @Override
  public long tryGrant(long bytes, int owner) {
    if (bytes <= 0 || !front.owners.isKnown(owner)) {
      throw new IllegalArgumentException(
        "bytes must be positive and the owner known: bytes=%d owner=%d".formatted(bytes, owner));
    }
    return front.grant(bytes, owner);
  }

  @Override
  public long grant(long bytes, int owner) {
    long handle = tryGrant(bytes, owner);
    if (handle == Block.NO_HANDLE) {
      throw refusal(AllocationRequest.of(bytes, front.owners.owner(owner)));
    }
    return handle;
  }

  @Override
  public void release(long handle) {
    front.requireOpen();
    int chunk = slots.takeFromHolder(handle);
    if (chunk == NONE) {
      throw notHeld(handle);
    }
    front.giveBack(chunk);
  }

  @Override
  public long addressOf(long handle) {
    return slots.address(chunkOf(handle));
  }

  @Override
  public Block blockOf(long handle) {
    int chunk = chunkOf(handle);
    long requested = slots.requestedBytes(chunk);
    MemorySegment segment = space.isHostAccessible() ? segments.of(chunk, requested) : MemorySegment.NULL;
    return new Block(this, handle, slots.allocationId(chunk), slots.address(chunk), requested, slots.bytes(chunk),
      space, segment);
  }

  private int chunkOf(long handle) {
    front.requireOpen();
    int chunk = slots.chunkOf(handle);
    if (chunk == NONE) {
      throw notHeld(handle);
    }
    return chunk;
  }

  @Override
  public Block allocate(AllocationRequest request) {
    if (request.bytes() == 0) {
      return emptyBlock();
    }
    int owner = front.owners.numberOf(request.owner());
    boolean demands = request.alignmentBytes() > Alignment.CHUNK_BYTES
      || request.freedBefore() != AllocationRequest.ANY_TIME || request.end() != AllocationRequest.End.LOWER;
    return block(request, demands ? front.grant(request, owner) : front.grant(request.bytes(), owner));
  }

  @Override
  public Block reserve(AllocationRequest request) {
    if (request.alignmentBytes() > Alignment.CHUNK_BYTES || request.freedBefore() != AllocationRequest.ANY_TIME) {
      throw new IllegalArgumentException("a region of its own can't be had with demands: " + request);
    }
    return request.bytes() == 0
      ? emptyBlock()
      : block(request, front.reserve(request.bytes(), front.owners.numberOf(request.owner())));
  }

  private Block emptyBlock() {
    front.requireOpen();
    return Block.empty(this, space);
  }

  private Block block(AllocationRequest request, long handle) {
    if (handle == Block.NO_HANDLE) {
      throw refusal(request);
    }
    boolean kept = false;
    try {
      Block block = blockOf(handle);
      kept = true;
      return block;
    } finally {
      // The Java heap may be full: a grant that nobody hears of would be lost.
      if (!kept) {
        release(handle);
      }
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
    front.requireOpen();
    int chunk = slots.chunkOf(block.handle());
    if (chunk != NONE
      && (slots.address(chunk) != block.address() || slots.allocationId(chunk) != block.allocationId())) {
      throw new IllegalArgumentException("block is not as it was granted: %s; its handle is of %s; that address is %s"
        .formatted(block, reader.describe(chunk), reader.describe(block.address())));
    }
    if (slots.takeFromHolder(block.handle()) == NONE) {
      throw new IllegalArgumentException("block is not held, freed before or never granted: %s; that address is %s"
        .formatted(block, reader.describe(block.address())));
    }
    front.giveBack(chunk);
  }

  private IllegalArgumentException notHeld(long handle) {
    long id = slots.allocationIdOf(handle);
    if (slots.chunkIn(handle) < slots.count() && id < front.stripes.endOfIds()) {
      return new IllegalArgumentException("grant was given back before: id=%d".formatted(id));
    }
    return new IllegalArgumentException("handle is not one of this allocator: handle=0x%x".formatted(handle));
  }

  private OutOfMemory refusal(AllocationRequest request) {
    OutOfMemory refusal = reader.refusal(request, listener);
    listener.refused(refusal);
    return refusal;
  }

  @Override
  public AllocatorStats stats() {
    return reader.stats();
  }

  @Override
  public AllocatorStats clearStats() {
    return reader.clearStats();
  }

  /** Bytes that are free and at hand, in all magazines. */
  public long parkedBytes() {
    return front.stripes.withAll(front.stripes::parkedBytes);
  }

  /** Java heap bytes that the rows and slots of all chunks take. */
  public long metadataBytes() {
    return front.depot.lock.with(() -> front.depot.heap.chunks.metadataBytes() + slots.metadataBytes());
  }

  /** Holds up all threads for as long as copying 40 bytes a chunk takes: some 10 ms for a million. */
  @Override
  public MemoryMap memoryMap() {
    return reader.map();
  }

  @Override
  public void validate() {
    front.stripes.withAll(() -> {
      FrontInvariants.check(front);
      return front;
    });
  }

  /** Gives all that is parked to the heap first. */
  @Override
  public long trim(TrimPolicy policy) {
    return front.trim(policy);
  }

  /** Gives the regions back; those that the source won't take stay here, and closing may then be tried again. */
  @Override
  public void close() {
    front.close(reader);
  }

  @Override
  public String toString() {
    return "fronted bfc space=%s %s".formatted(space, stats());
  }
}
