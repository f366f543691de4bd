package dev.cairn.allocator.report;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;

/**
 * Finds the run of neighbouring chunks in one region that holds a request and has the fewest bytes in use; of equals
 * the one with fewer blocks, then the lower one.
 */
final class WindowSearch {
  // Implementation note. Two indices run over the chunks in address order. For each last chunk, the first one is moved
  // up as long as the request still fits: leaving out a chunk only saves bytes, and whether the request fits is
  // monotone in the first chunk, also with an alignment. So the search looks at the best window for each last chunk, in
  // O(chunks).

  private static final int NONE = -1;

  private final MemoryMap map;
  private final long wantedBytes;
  private final long alignmentBytes;
  private final OutOfMemory failure;
  private int bestFirst = NONE;
  private int bestLast = NONE;
  private long bestBytes = Long.MAX_VALUE;
  private int bestBlocks = Integer.MAX_VALUE;

  WindowSearch(OutOfMemory failure) {
    this.failure = failure;
    map = failure.memoryMap();
    wantedBytes = Math.max(failure.requestedBytes(), failure.roundedBytes());
    alignmentBytes = failure.request().alignmentBytes();
    for (MemoryMap.RegionEntry region : map.regions()) {
      if (region.bytes() >= wantedBytes) {
        search(region);
      }
    }
  }

  boolean isFound() {
    return bestFirst != NONE;
  }

  long bytesInUse() {
    return bestBytes;
  }

  int blocks() {
    return bestBlocks;
  }

  ReleasingSet set() {
    int[] blocks = new int[bestBlocks];
    int count = 0;
    boolean waits = false;
    for (int chunk = bestFirst; chunk <= bestLast; chunk++) {
      if (map.isInUse(chunk)) {
        blocks[count++] = chunk;
        waits |= failure.request().freedBefore() != AllocationRequest.ANY_TIME;
      } else {
        waits |= failure.mustAwait(chunk);
      }
    }
    return new ReleasingSet(map, ReleasingSet.Way.WINDOW, blocks, new int[] {bestFirst, bestLast}, waits);
  }

  private void search(MemoryMap.RegionEntry region) {
    int first = region.firstChunk();
    int end = first + region.chunkCount();
    long bytes = 0;
    int blocks = 0;
    for (int last = first; last < end; last++) {
      if (map.isInUse(last)) {
        bytes += map.bytes(last);
        blocks++;
      }
      long endAddress = map.address(last) + map.bytes(last);
      while (first < last && fits(map.address(first + 1), endAddress)) {
        if (map.isInUse(first)) {
          bytes -= map.bytes(first);
          blocks--;
        }
        first++;
      }
      if (fits(map.address(first), endAddress) && isBetter(bytes, blocks)) {
        bestFirst = first;
        bestLast = last;
        bestBytes = bytes;
        bestBlocks = blocks;
      }
    }
  }

  private boolean fits(long address, long endAddress) {
    // No chunk ends above the largest address, so that this can only wrap where nothing fits.
    long aligned = (address + alignmentBytes - 1) & -alignmentBytes;
    return aligned >= address && aligned <= endAddress && endAddress - aligned >= wantedBytes;
  }

  private boolean isBetter(long bytes, int blocks) {
    return bytes < bestBytes || (bytes == bestBytes && blocks < bestBlocks);
  }
}
