package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes regions from the source into the heap. A call that throws leaves the heap as it was. The caller holds the lock.
 */
final class PoolExtender {
  /** More pages than any machine has for one request: 2 TiB of 2 MiB each. A size that can't be true must not hang. */
  private static final long MOST_PAGES = 1L << 20;

  private final BfcHeap heap;
  private final SubAllocator source;
  private final RegionGrower grower;
  private final AllocationListener listener;
  private final boolean growsByPage;
  private final long pageBytes;

  PoolExtender(BfcHeap heap, SubAllocator source, BfcOptions options, RegionGrower grower,
    AllocationListener listener) {
    this.heap = heap;
    this.source = source;
    this.grower = grower;
    this.listener = listener;
    this.growsByPage = options.growth() == BfcOptions.Growth.BY_PAGE && source.supportsCoalescing();
    this.pageBytes = options.firstRegionBytes();
  }

  /** Adds a region that the demand fits into; false when limit or source have none. */
  boolean extend(Demand demand) {
    if (growsByPage) {
      return extendByPages(demand);
    }
    long poolBytes = heap.usage.poolBytes();
    Region region = grower.grow(demand.amplyBytes(), poolBytes);
    if (region == null && demand.amplyBytes() > demand.bytes()) {
      // A region of the bytes alone may happen to be aligned.
      region = grower.grow(demand.bytes(), poolBytes);
    }
    return add(region);
  }

  /** Whether a free chunk is an idle region more than twice as long as one that would be added for a request. */
  boolean isOversized(int chunk, long wantedBytes) {
    return heap.chunks.isAlone(chunk) && heap.chunks.bytes(chunk) / 2 > grower.proposedBytes(wantedBytes);
  }

  /** Adds pages until the demand fits; false when limit or source have no more, and those added stay. */
  private boolean extendByPages(Demand demand) {
    long missingBytes = demand.amplyBytes() - freeAtEndBytes();
    if (missingBytes > heap.usage.limitBytes() - heap.usage.poolBytes() || missingBytes / pageBytes >= MOST_PAGES) {
      // Otherwise all pages that the limit allows would be taken without meeting the demand.
      return false;
    }
    // Pages that do not adjoin do not help: give up after twice the missing bytes.
    for (long addedBytes = 0; addedBytes < 2 * missingBytes; addedBytes += pageBytes) {
      heap.chunks.ensureRoom(1);
      if (!add(grower.exactly(pageBytes, heap.usage.poolBytes()))) {
        return false;
      }
      if (freeAtEndBytes() >= demand.amplyBytes()) {
        return true;
      }
    }
    return false;
  }

  /** Bytes of the free chunk that the pool ends with. */
  private long freeAtEndBytes() {
    List<RegionTable.Row> rows = heap.regions.rows();
    int last = rows.isEmpty() ? NONE : rows.getLast().lastChunk;
    return last != NONE && heap.chunks.isFreeForAll(last) ? heap.chunks.bytes(last) : 0;
  }

  private boolean add(@Nullable Region region) {
    if (region == null) {
      return false;
    }
    boolean adopted = false;
    try {
      requireApart(region);
      join(region);
      adopted = true;
    } finally {
      if (!adopted) {
        source.release(region);
      }
    }
    heap.usage.regionAdded(region.bytes());
    heap.usage.settle(heap.bins.count());
    listener.regionAdded(region.address(), region.bytes());
    return true;
  }

  /** Puts a region into the chains, as a row of its own or at the end of another one, as a free chunk. */
  private void join(Region region) {
    RegionTable.Row before = source.supportsCoalescing() ? heap.regions.endingAt(region.address()) : null;
    if (before == null || heap.chunks.isReserved(before.lastChunk)) {
      int chunk = addRow(region);
      heap.bins.insert(heap.chunks, chunk);
      heap.idle(chunk);
    } else {
      before.add(region);
      extendChain(before, region);
    }
  }

  private void requireApart(Region region) {
    if (heap.regions.overlaps(region)) {
      throw new IllegalStateException("source broke its contract: overlaps a region held: " + region);
    }
  }

  /** Adds a row, with one chunk that is in no bin. */
  private int addRow(Region region) {
    RegionTable.Row row = new RegionTable.Row(region);
    // The row comes first, since it may throw. Then the chunk is added, for which there is room.
    heap.regions.insert(row);
    row.firstChunk = heap.chunks.create(row.address, row.bytes());
    row.lastChunk = row.firstChunk;
    return row.firstChunk;
  }

  private void extendChain(RegionTable.Row row, Region region) {
    int last = row.lastChunk;
    if (heap.chunks.isFreeForAll(last)) {
      heap.rouse(last);
      heap.bins.resize(heap.chunks, last, heap.chunks.address(last), heap.chunks.bytes(last) + region.bytes());
      heap.idle(last);
    } else {
      if (heap.chunks.isFree(last)) {
        heap.rouse(last);
      }
      heap.bins.insert(heap.chunks, heap.createAfter(last, region.address(), region.bytes()));
    }
  }

  /** A chunk in use that is all of a region of its own; {@link ChunkTable#NONE} when there is none to be had. */
  int reserve(long requestedBytes, int owner, int step) {
    if (requestedBytes > BfcHeap.MAXIMUM_REQUEST_BYTES) {
      return NONE;
    }
    long bytes = heap.sizes.bytes(requestedBytes);
    heap.chunks.ensureRoom(1);
    Region region = grower.exactly(bytes, heap.usage.poolBytes());
    if (region == null && heap.releaser.collect(bytes)) {
      region = grower.exactly(bytes, heap.usage.poolBytes());
    }
    if (region == null) {
      return NONE;
    }
    int chunk = NONE;
    try {
      requireApart(region);
      chunk = addRow(region);
    } finally {
      if (chunk == NONE) {
        source.release(region);
      }
    }
    heap.chunks.setReserved(chunk);
    heap.chunks.occupy(chunk, heap.usage.nextAllocationId(), requestedBytes, owner, step);
    heap.usage.regionAdded(region.bytes());
    heap.usage.granted(region.bytes(), requestedBytes);
    heap.usage.reserved(region.bytes());
    heap.usage.settle(heap.bins.count());
    listener.regionAdded(region.address(), region.bytes());
    return chunk;
  }

  /** Gives what {@link #reserve} got back to the source. */
  void unreserve(int chunk) {
    RegionTable.Row row = heap.regions.holding(heap.chunks.address(chunk));
    Region region = row.parts().getFirst();
    source.release(region);
    heap.usage.freed(region.bytes(), heap.chunks.requestedBytes(chunk));
    heap.usage.unreserved(region.bytes());
    heap.usage.regionReleased(region.bytes());
    heap.regions.remove(row);
    heap.chunks.destroy(chunk);
    heap.usage.settle(heap.bins.count());
    listener.regionReleased(region.address(), region.bytes());
  }
}
