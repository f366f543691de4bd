package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.source.Region;
import java.util.List;

/**
 * Gives back parts of a region that grew part by part, in one range of reserved addresses: those that a free chunk
 * covers wholly, wherever in the region they lie. What is left on either side are two regions. The caller holds the
 * lock.
 *
 * <pre>
 *  parts    |  0  |  1  |  2  |  3  |          |  0  |           |  2  |  3  |
 *  chunks   | used |   free    | used |   →    | used | free|    |free| used |
 * </pre>
 */
final class FreeParts {
  private final BfcHeap heap;
  private final ChunkTable chunks;
  private final RegionReleaser releaser;

  FreeParts(BfcHeap heap, RegionReleaser releaser) {
    this.heap = heap;
    this.chunks = heap.chunks;
    this.releaser = releaser;
  }

  /** Gives back what can be, the highest of each region first, while {@code keepFreeBytes} stay free. */
  void release(long keepFreeBytes) {
    for (RegionTable.Row row : List.copyOf(heap.regions.rows())) {
      int chunk = row.lastChunk;
      for (int index = row.parts().size() - 1; index >= 0 && row.firstChunk != row.lastChunk; index--) {
        Region part = row.parts().get(index);
        while (chunks.address(chunk) > part.address()) {
          chunk = chunks.previous(chunk);
        }
        boolean covered = chunks.isFreeForAll(chunk) && part.endAddress() <= chunks.endAddress(chunk);
        if (covered && heap.usage.freeBytes() - part.bytes() >= keepFreeBytes) {
          chunk = cutOut(row, index, chunk);
        }
      }
    }
  }

  /**
   * Takes one part out of a region, and out of the free chunk that covers it and isn't all of the region. What lies
   * above becomes a region of its own; the answer is the chunk that is then the last below.
   */
  private int cutOut(RegionTable.Row row, int index, int chunk) {
    Region part = row.parts().get(index);
    chunks.ensureRoom(1);
    heap.regions.ensureRoom(heap.regions.rows().size() + 1);
    List<Region> parts = List.copyOf(row.parts().subList(index + 1, row.parts().size()));
    RegionTable.Row above = parts.isEmpty() ? null : RegionTable.Row.of(parts, NONE, NONE, row.idleSince);
    releaser.giveBack(part);
    long endAddress = chunks.endAddress(chunk);
    heap.bins.remove(heap.chunks, chunk);
    if (part.endAddress() < endAddress) {
      int rest = heap.chain.createAfter(heap.chunks, chunk, part.endAddress(), endAddress - part.endAddress());
      heap.bins.insert(heap.chunks, rest);
    }
    if (above != null) {
      above.firstChunk = chunks.next(chunk);
      above.lastChunk = row.lastChunk;
      chunks.setPrevious(above.firstChunk, NONE);
      heap.regions.insert(above);
    }
    int below = keepBelow(chunk, part.address());
    row.lastChunk = below;
    row.removeFrom(index);
    if (row.parts().isEmpty()) {
      heap.regions.remove(row);
    } else {
      noteIdle(row);
    }
    if (above != null) {
      noteIdle(above);
    }
    releaser.gone(part);
    return below;
  }

  /** What is left of a chunk in no bin below {@code address}, or else the chunk before it, as the last of its chain. */
  private int keepBelow(int chunk, long address) {
    long from = chunks.address(chunk);
    int below = chunks.previous(chunk);
    if (from < address) {
      chunks.setBytes(chunk, address - from);
      heap.bins.insert(heap.chunks, chunk);
      below = chunk;
    } else {
      chunks.destroy(chunk);
    }
    chunks.setNext(below, NONE);
    return below;
  }

  private void noteIdle(RegionTable.Row row) {
    if (chunks.isFree(row.firstChunk)) {
      heap.idle(row.firstChunk);
    }
  }
}
