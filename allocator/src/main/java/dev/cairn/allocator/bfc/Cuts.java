package dev.cairn.allocator.bfc;

/** Cuts grants out of free chunks that have room for them. Stateless. */
final class Cuts {
  private Cuts() {}

  /** Leaves the first bytes of a free chunk as a free chunk of their own. */
  static void prefix(BfcHeap heap, int chunk, long prefixBytes) {
    if (prefixBytes == 0) {
      return;
    }
    heap.rouse(chunk);
    long address = heap.chunks.address(chunk);
    heap.bins.resize(heap.chunks, chunk, address + prefixBytes, heap.chunks.bytes(chunk) - prefixBytes);
    int prefix = heap.createBefore(chunk, address, prefixBytes);
    long freedAt = heap.chunks.freedAt(chunk);
    if (freedAt != 0) {
      heap.chunks.vacate(prefix, freedAt);
      heap.timed.add(prefix, freedAt);
    }
    heap.bins.insert(heap.chunks, prefix);
  }

  /** A chunk of {@code wantedBytes}, or all of a free one with its slack; in no bin. */
  static int of(BfcHeap heap, int chunk, long wantedBytes, boolean leavesRest) {
    heap.rouse(chunk);
    return ofRoused(heap, chunk, wantedBytes, leavesRest);
  }

  /** Like {@link #of}, where the chunk is not all of its region. */
  static int ofRoused(BfcHeap heap, int chunk, long wantedBytes, boolean leavesRest) {
    long bytes = heap.chunks.bytes(chunk);
    if (!leavesRest) {
      heap.bins.remove(heap.chunks, chunk);
      return chunk;
    }
    // The rest keeps the row, and often its place in the bins; the part that is granted gets a new one.
    long address = heap.chunks.address(chunk);
    heap.bins.resize(heap.chunks, chunk, address + wantedBytes, bytes - wantedBytes);
    return heap.createBefore(chunk, address, wantedBytes);
  }

  /** Like {@link #of}, at the end of the chunk, and in the one of equally long chunks, that suits the block. */
  static int at(BfcHeap heap, int found, long wantedBytes, boolean leavesRest, NeighbourPlacement by) {
    by.note(wantedBytes);
    int chunk = by.isSmall(wantedBytes) ? heap.bins.lastAsLong(heap.chunks, found) : found;
    if (!leavesRest || by.isLow(chunk, wantedBytes)) {
      return of(heap, chunk, wantedBytes, leavesRest);
    }
    heap.rouse(chunk);
    heap.bins.resize(heap.chunks, chunk, heap.chunks.address(chunk), heap.chunks.bytes(chunk) - wantedBytes);
    return heap.createAfter(chunk, heap.chunks.endAddress(chunk), wantedBytes);
  }
}
