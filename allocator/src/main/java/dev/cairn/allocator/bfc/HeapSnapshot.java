package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.Owner;
import java.util.List;

/**
 * A heap at one moment: taken with the lock held, at the cost of a reference for each page and region, and read without
 * it.
 *
 * @param chunks the frozen table
 * @param regions the regions, in address order
 * @param owners all owners, by number
 * @param stats the figures
 */
record HeapSnapshot(ChunkTable chunks, List<Chain> regions, List<Owner> owners, AllocatorStats stats) {
  // Implementation note. Of a million chunks each is a miss of the caches and of the page tables' cache. Sixty-four
  // walks side by side, whose rows were put in order and read a second time, took twice as long as this one.

  /** One region and the first of its chunks. */
  record Chain(long address, long bytes, int firstChunk) {}

  /** Every region and chunk. */
  MemoryMap memoryMap(MemorySpace space) {
    MemoryMapBuilder map = new MemoryMapBuilder(space).ensureRoom(chunks.rows() - chunks.vacantCount());
    for (Owner owner : owners.subList(1, owners.size())) {
      map.owner(owner);
    }
    for (Chain region : regions) {
      map.region(region.address, region.bytes);
      // A snapshot that was spoilt, for want of Java heap, may be a cycle: its reader will find that out, but later.
      int left = chunks.rows();
      for (int chunk = region.firstChunk; chunk != NONE && left > 0; chunk = chunks.next(chunk), left--) {
        add(chunk, map);
      }
    }
    return map.build(stats);
  }

  private void add(int chunk, MemoryMapBuilder map) {
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
