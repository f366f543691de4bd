package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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
    List<MemoryMap.RegionEntry> regions = new ArrayList<>();
    for (RegionTable.Row row : heap.regions.rows()) {
      regions.add(new MemoryMap.RegionEntry(row.address, row.bytes(), chunks(row)));
    }
    return new MemoryMap(space, stats(), regions);
  }

  private List<MemoryMap.ChunkEntry> chunks(RegionTable.Row row) {
    ChunkTable chunks = heap.chunks;
    List<MemoryMap.ChunkEntry> entries = new ArrayList<>();
    for (int chunk = row.firstChunk; chunk != NONE; chunk = chunks.next(chunk)) {
      entries.add(new MemoryMap.ChunkEntry(chunks.address(chunk), chunks.bytes(chunk), chunks.requestedBytes(chunk),
        chunks.allocationId(chunk), chunks.owner(chunk)));
    }
    return entries;
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
