package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.PoolEvent;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Makes maps of a heap: takes a snapshot with the lock held, and reads it without. */
final class MapMaker {
  // Implementation note. With a million chunks, each chunk misses the caches and the page tables' cache. Sixty-four
  // walks side by side, whose rows were then sorted and read again, took twice as long as this single walk.

  private final HeapLock lock;
  private final BfcHeap heap;
  private final Owners owners;
  private final SubAllocator source;

  MapMaker(HeapLock lock, BfcHeap heap, Owners owners, SubAllocator source) {
    this.lock = lock;
    this.heap = heap;
    this.owners = owners;
    this.source = source;
  }

  /**
   * A heap at one moment.
   *
   * @param chunks the frozen table
   * @param regions the regions, in address order
   * @param owners all owners, by number
   * @param stats the figures
   */
  record Snapshot(ChunkTable chunks, List<Chain> regions, List<Owner> owners, AllocatorStats stats) {}

  /** One region and the first of its chunks. */
  record Chain(long address, long bytes, int firstChunk) {}

  /** The map of this moment. */
  MemoryMap map() {
    Snapshot snapshot;
    lock.lock();
    try {
      snapshot = snapshot();
    } finally {
      lock.unlock();
    }
    return map(snapshot);
  }

  /** Why a request can't be met. Called without the lock: the map of a million chunks takes a while. */
  OutOfMemory refusal(AllocationRequest request, AllocationListener listener) {
    List<PoolEvent> lastEvents;
    Snapshot snapshot;
    lock.lock();
    try {
      heap.usage.refused();
      lastEvents = listener.lastEvents();
      snapshot = snapshot();
    } finally {
      lock.unlock();
    }
    OutOfMemory failure = new OutOfMemory(request, Demand.roundedBytes(request, heap.sizes), map(snapshot))
      .withLastEvents(
        lastEvents);
    return failure.reason() == OutOfMemory.Reason.SOURCE_REFUSED ? withFreeBytes(failure) : failure;
  }

  /** The failure with the source's free bytes, if the source knows them. */
  private OutOfMemory withFreeBytes(OutOfMemory failure) {
    OptionalLong free;
    try {
      free = source.freeBytes();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      return failure;
    }
    return free.isEmpty() ? failure : failure.with("%s has %d bytes free".formatted(source.space(), free.getAsLong()));
  }

  /** The heap of this moment, at the cost of a reference for each page and region; its table is to be thawed. */
  Snapshot snapshot() {
    List<Chain> regions = new ArrayList<>();
    for (RegionTable.Row row : heap.regions.rows()) {
      regions.add(new Chain(row.address, row.bytes(), row.firstChunk));
    }
    AllocatorStats stats = heap.stats();
    List<Owner> all = owners.all();
    return new Snapshot(heap.chunks.freeze(), regions, all, stats);
  }

  private MemoryMap map(Snapshot snapshot) {
    boolean whole = false;
    MemoryMap map;
    try {
      map = read(snapshot);
      whole = true;
    } finally {
      if (!whole) {
        lock.lock();
        try {
          heap.chunks.thaw();
        } finally {
          lock.unlock();
        }
      }
    }
    // If the Java heap had no room for the copy of a page, the map is made again, with the lock.
    lock.lock();
    try {
      boolean torn = heap.chunks.isTorn(snapshot.chunks());
      heap.chunks.thaw();
      return torn ? mapAtOnce() : map;
    } finally {
      lock.unlock();
    }
  }

  private MemoryMap mapAtOnce() {
    Snapshot snapshot = snapshot();
    try {
      return read(snapshot);
    } finally {
      heap.chunks.thaw();
    }
  }

  /** Every region and chunk of a snapshot. */
  MemoryMap read(Snapshot snapshot) {
    ChunkTable chunks = snapshot.chunks;
    MemoryMapBuilder map = new MemoryMapBuilder(source.space()).ensureRoom(chunks.rows() - chunks.vacantCount());
    for (Owner owner : snapshot.owners.subList(1, snapshot.owners.size())) {
      map.owner(owner);
    }
    for (Chain region : snapshot.regions) {
      map.region(region.address, region.bytes);
      // If the Java heap is full, a snapshot may be spoilt and have a cycle. Its reader finds that out later.
      int left = chunks.rows();
      for (int chunk = region.firstChunk; chunk != NONE && left > 0; chunk = chunks.next(chunk), left--) {
        add(chunks, chunk, map);
      }
    }
    return map.build(snapshot.stats);
  }

  private static void add(ChunkTable chunks, int chunk, MemoryMapBuilder map) {
    long address = chunks.address(chunk);
    long bytes = chunks.bytes(chunk);
    if (chunks.isInUse(chunk)) {
      map.inUse(address, bytes, chunks.requestedBytes(chunk), chunks.allocationId(chunk), chunks.owner(chunk),
        chunks.step(chunk));
    } else {
      map.free(address, bytes, chunks.freedAt(chunk));
    }
  }
}
