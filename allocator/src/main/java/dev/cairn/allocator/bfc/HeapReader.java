package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Owner;
import java.util.ArrayList;
import java.util.List;

/** Takes figures and snapshots of a heap, and says what is where; changes nothing. The caller holds the lock. */
final class HeapReader {
  private final BfcHeap heap;
  private final Owners owners;

  HeapReader(BfcHeap heap, Owners owners) {
    this.heap = heap;
    this.owners = owners;
  }

  AllocatorStats stats() {
    return heap.usage.snapshot(heap.largestFreeBytes(), heap.timed.heldBytes());
  }

  /** The heap of this moment; its table is to be thawed. */
  HeapSnapshot snapshot() {
    List<HeapSnapshot.Chain> regions = new ArrayList<>();
    for (RegionTable.Row row : heap.regions.rows()) {
      regions.add(new HeapSnapshot.Chain(row.address, row.bytes(), row.firstChunk));
    }
    AllocatorStats stats = stats();
    List<Owner> all = owners.all();
    return new HeapSnapshot(heap.chunks.freeze(), regions, all, stats);
  }

  /** What is at an address now, for messages: in use, free, or no part of the pool. */
  String describe(long address) {
    int chunk = heap.keeper.chunkHolding(address);
    if (chunk == NONE) {
      return "outside the pool";
    }
    String state = heap.chunks.isInUse(chunk)
      ? "in use by id=%d owner=%s".formatted(heap.chunks.allocationId(chunk), owners.owner(heap.chunks.owner(chunk)))
      : "free";
    return "%s in chunk [0x%x, 0x%x)".formatted(state, heap.chunks.address(chunk), heap.chunks.endAddress(chunk));
  }

  /** The largest chunk in use, for messages. */
  String largestHeld() {
    int largest = NONE;
    for (int chunk = 0; chunk < heap.chunks.rows(); chunk++) {
      boolean larger = largest == NONE || heap.chunks.bytes(chunk) > heap.chunks.bytes(largest);
      largest = heap.chunks.isInUse(chunk) && larger ? chunk : largest;
    }
    return largest == NONE
      ? "none"
      : "%s owner=%s".formatted(heap.chunks.describe(largest), owners.owner(heap.chunks.owner(largest)));
  }
}
