package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

/** Puts chunks into the chain of their region and takes them out, and keeps the region's ends. */
final class ChunkChain {
  private final RegionTable regions;

  ChunkChain(RegionTable regions) {
    this.regions = regions;
  }

  /** A new chunk before another one of its region. */
  int createBefore(ChunkTable chunks, int chunk, long address, long bytes) {
    int previous = chunks.previous(chunk);
    int created = chunks.create(address, bytes, previous, chunk);
    chunks.setPrevious(chunk, created);
    if (previous == NONE) {
      regions.holding(address).firstChunk = created;
    } else {
      chunks.setNext(previous, created);
    }
    return created;
  }

  /** A new chunk after another one of its region. */
  int createAfter(ChunkTable chunks, int chunk, long address, long bytes) {
    int next = chunks.next(chunk);
    int created = chunks.create(address, bytes, chunk, next);
    chunks.setNext(chunk, created);
    if (next == NONE) {
      regions.holding(address).lastChunk = created;
    } else {
      chunks.setPrevious(next, created);
    }
    return created;
  }

  /** Takes out a chunk that isn't the only one of its region. */
  void unlink(ChunkTable chunks, int chunk) {
    int previous = chunks.previous(chunk);
    int next = chunks.next(chunk);
    if (previous == NONE) {
      regions.holding(chunks.address(chunk)).firstChunk = next;
    } else {
      chunks.setNext(previous, next);
    }
    if (next == NONE) {
      regions.holding(chunks.address(chunk)).lastChunk = previous;
    } else {
      chunks.setPrevious(next, previous);
    }
  }
}
