package dev.cairn.allocator.bfc;

/** Cuts what is granted out of free chunks, which have room for it. Not safe for many threads. */
final class Cuts {
  private final BfcHeap heap;

  Cuts(BfcHeap heap) {
    this.heap = heap;
  }

  /** Leaves the first bytes of a free chunk as a free chunk of their own. */
  void prefix(int chunk, long prefixBytes) {
    if (prefixBytes == 0) {
      return;
    }
    heap.rouse(chunk);
    long address = heap.chunks.address(chunk);
    heap.bins.resize(chunk, address + prefixBytes, heap.chunks.bytes(chunk) - prefixBytes);
    int prefix = heap.chain.createBefore(chunk, address, prefixBytes);
    long freedAt = heap.chunks.freedAt(chunk);
    if (freedAt != 0) {
      heap.chunks.vacate(prefix, freedAt);
      heap.timed.add(prefix, freedAt);
    }
    heap.bins.insert(prefix);
  }

  /** A chunk of {@code wantedBytes}, or all of a free one with its slack; in no bin. */
  int of(int chunk, long wantedBytes, boolean leavesRest) {
    heap.rouse(chunk);
    return ofRoused(chunk, wantedBytes, leavesRest);
  }

  /** As {@link #of}, where the chunk is not all of its region. */
  int ofRoused(int chunk, long wantedBytes, boolean leavesRest) {
    long bytes = heap.chunks.bytes(chunk);
    if (!leavesRest) {
      heap.bins.remove(chunk);
      return chunk;
    }
    // The rest keeps the row, and often its place in the bins; the part that is granted gets a new one.
    long address = heap.chunks.address(chunk);
    heap.bins.resize(chunk, address + wantedBytes, bytes - wantedBytes);
    return heap.chain.createBefore(chunk, address, wantedBytes);
  }

  /** As {@link #of}, at the end of the chunk, and in the one of equally long chunks, that suits the block. */
  int at(int found, long wantedBytes, boolean leavesRest, NeighbourPlacement by) {
    by.note(wantedBytes);
    int chunk = by.isSmall(wantedBytes) ? heap.bins.lastAsLong(found) : found;
    if (!leavesRest || by.isLow(chunk, wantedBytes)) {
      return of(chunk, wantedBytes, leavesRest);
    }
    heap.rouse(chunk);
    heap.bins.resize(chunk, heap.chunks.address(chunk), heap.chunks.bytes(chunk) - wantedBytes);
    return heap.chain.createAfter(chunk, heap.chunks.endAddress(chunk), wantedBytes);
  }
}
