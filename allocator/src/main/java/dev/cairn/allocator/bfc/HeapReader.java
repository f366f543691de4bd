package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.Owner;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** Takes figures and maps of a heap; reads only. The caller holds the lock. */
final class HeapReader {
  private final BfcHeap heap;
  private final MemorySpace space;

  HeapReader(BfcHeap heap, MemorySpace space) {
    this.heap = heap;
    this.space = space;
  }

  AllocatorStats stats() {
    return heap.usage.snapshot(heap.bins.largestBytes());
  }

  MemoryMap memoryMap() {
    MemoryMapBuilder map = new MemoryMapBuilder(space).ensureRoom(heap.chunks.rows());
    Map<Owner, Integer> numbers = new HashMap<>(Map.of(Owner.NONE, 0));
    for (RegionTable.Row row : heap.regions.rows()) {
      map.region(row.address, row.bytes());
      for (int chunk = row.firstChunk; chunk != NONE; chunk = heap.chunks.next(chunk)) {
        add(chunk, map, numbers);
      }
    }
    return map.build(stats());
  }

  private void add(int chunk, MemoryMapBuilder map, Map<Owner, Integer> numbers) {
    ChunkTable chunks = heap.chunks;
    if (chunks.isFree(chunk)) {
      map.free(chunks.address(chunk), chunks.bytes(chunk), 0);
    } else {
      int owner = numbers.computeIfAbsent(chunks.owner(chunk), map::owner);
      map.inUse(chunks.address(chunk), chunks.bytes(chunk), chunks.requestedBytes(chunk), chunks.allocationId(chunk),
        owner, 0);
    }
  }

  /** What is at an address now, for messages: in use, free, or no part of the pool. */
  String describe(long address) {
    int chunk = heap.chunkHolding(address);
    if (chunk == NONE) {
      return "outside the pool";
    }
    String state = heap.chunks.isInUse(chunk)
      ? "in use by id=%d owner=%s".formatted(heap.chunks.allocationId(chunk), heap.chunks.owner(chunk))
      : "free";
    return "%s in chunk [0x%x, 0x%x)".formatted(state, heap.chunks.address(chunk), heap.chunks.endAddress(chunk));
  }

  /** The largest chunk in use, for messages. */
  String largestHeld() {
    return memoryMap().chunks().filter(MemoryMap.ChunkEntry::inUse).max(Comparator.comparingLong(
      MemoryMap.ChunkEntry::bytes)).map(MemoryMap.ChunkEntry::toString).orElse("none");
  }
}
