package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.util.List;
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
 *  I3 sized: address and bytes are multiples of 256, bytes positive; a chunk in use has at least what was asked for
 *  I4 coalesced: no two neighbours are both free
 *  I5 binned: each free chunk is in the tree of its size class, and nothing else is
 *  I6 ordered: each tree is sorted by size and address, and no chunk lies above one of higher priority
 *  I7 counted: the figures are the sums over chunks and regions, no peak is below its figure, the pool within the limit
 *  I8 identified: the ids of chunks in use were given out, each to one chunk
 *  I9 apart: regions are in address order and have no byte in common; the parts of each adjoin
 *  I10 accounted: each row of the chunk table is in one region's chain or vacant
 * </pre>
 */
final class BfcHeap {
  static final long MAXIMUM_REQUEST_BYTES = Alignment.down(Long.MAX_VALUE, Alignment.CHUNK_BYTES);

  final ChunkTable chunks = new ChunkTable();
  final FreeBins bins = new FreeBins(chunks);
  final RegionTable regions = new RegionTable();
  final Usage usage;
  private final SubAllocator source;
  private final SplitPolicy split;
  private final RegionGrower grower;
  private final AllocationListener listener;

  BfcHeap(SubAllocator source, BfcOptions options, AllocationListener listener) {
    this.source = source;
    this.split = options.split();
    this.usage = new Usage(options.limitBytes());
    this.grower = new RegionGrower(source, options);
    this.listener = listener;
  }

  /** A chunk of at least {@code requestedBytes}, now in use; {@link ChunkTable#NONE} when there is none to be had. */
  int allocate(long requestedBytes, Owner owner) {
    if (requestedBytes > MAXIMUM_REQUEST_BYTES) {
      return NONE;
    }
    long wantedBytes = Alignment.up(requestedBytes, Alignment.CHUNK_BYTES);
    chunks.ensureRoom(1);
    int chunk = bins.bestFit(wantedBytes);
    if (chunk == NONE) {
      chunk = extendAndFind(wantedBytes);
      if (chunk == NONE) {
        return NONE;
      }
    }
    bins.remove(chunk);
    long slackBytes = chunks.bytes(chunk) - wantedBytes;
    if (slackBytes >= Alignment.CHUNK_BYTES && split.splits(chunks.bytes(chunk), wantedBytes)) {
      splitOff(chunk, wantedBytes);
    }
    chunks.occupy(chunk, usage.nextAllocationId(), requestedBytes, owner);
    usage.granted(chunks.bytes(chunk), requestedBytes);
    return chunk;
  }

  /** Makes a chunk in use free, and one with its free neighbours. */
  void free(int chunk) {
    usage.freed(chunks.bytes(chunk), chunks.requestedBytes(chunk));
    chunks.vacate(chunk);
    int merged = chunk;
    int next = chunks.next(merged);
    if (next != NONE && chunks.isFree(next)) {
      bins.remove(next);
      absorbNext(merged);
    }
    int previous = chunks.previous(merged);
    if (previous != NONE && chunks.isFree(previous)) {
      bins.remove(previous);
      absorbNext(previous);
      merged = previous;
    }
    bins.insert(merged);
  }

  private void splitOff(int chunk, long keptBytes) {
    int rest = chunks.create(chunks.address(chunk) + keptBytes, chunks.bytes(chunk) - keptBytes);
    int next = chunks.next(chunk);
    chunks.setBytes(chunk, keptBytes);
    chunks.link(chunk, rest);
    chunks.link(rest, next);
    if (next == NONE) {
      regions.holding(chunks.address(rest)).lastChunk = rest;
    }
    bins.insert(rest);
  }

  private void absorbNext(int chunk) {
    int gone = chunks.next(chunk);
    int after = chunks.next(gone);
    chunks.setBytes(chunk, chunks.bytes(chunk) + chunks.bytes(gone));
    chunks.link(chunk, after);
    if (after == NONE) {
      regions.holding(chunks.address(chunk)).lastChunk = chunk;
    }
    chunks.destroy(gone);
  }

  private int extendAndFind(long wantedBytes) {
    chunks.ensureRoom(2);
    Region region = grower.grow(wantedBytes, usage.poolBytes());
    if (region == null) {
      return NONE;
    }
    boolean adopted = false;
    try {
      adopt(region);
      adopted = true;
    } finally {
      if (!adopted) {
        source.release(region);
      }
    }
    listener.regionAdded(region.address(), region.bytes());
    return bins.bestFit(wantedBytes);
  }

  private void adopt(Region region) {
    if (regions.overlaps(region)) {
      throw new IllegalStateException("source broke its contract: overlaps a region held: " + region);
    }
    RegionTable.Row before = source.supportsCoalescing() ? regions.endingAt(region.address()) : null;
    if (before == null) {
      // The row first, for it may throw; the chunk, for which there is room, is then put in.
      RegionTable.Row row = regions.add(region, NONE);
      row.firstChunk = chunks.create(region.address(), region.bytes());
      row.lastChunk = row.firstChunk;
      bins.insert(row.firstChunk);
    } else {
      before.parts.add(region);
      extendChain(before, region);
    }
    usage.regionAdded(region.bytes());
  }

  private void extendChain(RegionTable.Row row, Region region) {
    int last = row.lastChunk;
    if (chunks.isFree(last)) {
      bins.remove(last);
      chunks.setBytes(last, chunks.bytes(last) + region.bytes());
    } else {
      int added = chunks.create(region.address(), region.bytes());
      chunks.link(last, added);
      row.lastChunk = added;
    }
    bins.insert(row.lastChunk);
  }

  /**
   * Gives a region that is one free chunk back to the source, its last part first. When the source throws, the parts
   * that are left stay as they were.
   */
  void release(RegionTable.Row row) {
    int chunk = row.firstChunk;
    bins.remove(chunk);
    try {
      for (List<Region> parts = row.parts; !parts.isEmpty();) {
        Region part = parts.getLast();
        source.release(part);
        parts.removeLast();
        usage.regionReleased(part.bytes());
        chunks.setBytes(chunk, chunks.bytes(chunk) - part.bytes());
        listener.regionReleased(part.address(), part.bytes());
      }
    } finally {
      if (row.parts.isEmpty()) {
        regions.remove(row);
        chunks.destroy(chunk);
      } else {
        bins.insert(chunk);
      }
    }
  }

  /** Gives every region that is one free chunk back to the source. */
  void releaseFreeRegions() {
    for (RegionTable.Row row : List.copyOf(regions.rows())) {
      if (row.firstChunk == row.lastChunk && chunks.isFree(row.firstChunk)) {
        release(row);
      }
    }
  }

  /** The chunk that holds {@code address}; {@link ChunkTable#NONE} if none does. Walks its region: for diagnosis. */
  int chunkHolding(long address) {
    RegionTable.@Nullable Row row = regions.find(address);
    int chunk = row == null ? NONE : row.firstChunk;
    while (chunk != NONE && chunks.endAddress(chunk) <= address) {
      chunk = chunks.next(chunk);
    }
    return chunk;
  }
}
