package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Gives regions of the heap back to the source. A call that throws leaves the heap as it was, but for what had been
 * given back before. The caller holds the lock.
 */
final class RegionReleaser {
  private final BfcHeap heap;
  private final SubAllocator source;
  private final RegionGrower grower;
  private final AllocationListener listener;

  RegionReleaser(BfcHeap heap, SubAllocator source, RegionGrower grower, AllocationListener listener) {
    this.heap = heap;
    this.source = source;
    this.grower = grower;
    this.listener = listener;
  }

  /** Gives idle regions back if {@code wantedBytes} are then allowed; whether any was. */
  boolean collect(long wantedBytes) {
    if (!allows(wantedBytes)) {
      return false;
    }
    long before = heap.usage.poolBytes();
    release(0, IdleTimes.ANY);
    return heap.usage.poolBytes() < before;
  }

  /** Whether the limit allows so many bytes more, without the idle regions. */
  boolean allows(long wantedBytes) {
    return grower.allowedBytes(heap.usage.poolBytes() - idleBytes()) >= wantedBytes;
  }

  /** Bytes of all regions that are one free chunk. */
  long idleBytes() {
    long bytes = 0;
    for (RegionTable.Row row : heap.regions.rows()) {
      bytes += isIdle(row) ? row.bytes() : 0;
    }
    return bytes;
  }

  private boolean isIdle(RegionTable.Row row) {
    return row.firstChunk == row.lastChunk && heap.chunks.isFreeForAll(row.firstChunk);
  }

  /**
   * Gives back regions that were idle after so many operations, the longest idle first, while enough stays free; and,
   * when any time will do, parts of regions that grew part by part. The answer is how many bytes that were.
   */
  long trim(long keepFreeBytes, long operations) {
    long before = heap.usage.poolBytes();
    release(keepFreeBytes, operations);
    if (operations == IdleTimes.ANY) {
      releaseParts(keepFreeBytes);
      // The memory below a released part may now be idle as a whole.
      release(keepFreeBytes, operations);
    }
    return before - heap.usage.poolBytes();
  }

  private void release(long keepFreeBytes, long operations) {
    List<RegionTable.Row> idle = new ArrayList<>();
    for (RegionTable.Row row : heap.regions.rows()) {
      if (isIdle(row) && row.idleSince < operations) {
        idle.add(row);
      }
    }
    idle.sort(Comparator.comparingLong(row -> row.idleSince));
    for (RegionTable.Row row : idle) {
      if (heap.usage.freeBytes() - row.bytes() < keepFreeBytes) {
        return;
      }
      release(row);
    }
  }

  /**
   * Gives a region that is one free chunk back to the source, its last part first. When the source throws, the parts
   * that are left stay as they were.
   */
  void release(RegionTable.Row row) {
    int chunk = row.firstChunk;
    heap.rouse(chunk);
    heap.bins.remove(heap.chunks, chunk);
    try {
      while (!row.parts().isEmpty()) {
        Region part = row.parts().getLast();
        source.release(part);
        row.removeFrom(row.parts().size() - 1);
        heap.chunks.setBytes(chunk, heap.chunks.bytes(chunk) - part.bytes());
        count(part);
        listener.regionReleased(part.address(), part.bytes());
      }
    } finally {
      if (row.parts().isEmpty()) {
        heap.regions.remove(row);
        heap.chunks.destroy(chunk);
      } else {
        heap.bins.insert(heap.chunks, chunk);
        heap.idle(chunk);
      }
      heap.usage.settle(heap.bins.count());
    }
  }

  /** Reports that a part of a region was returned, which no chunk covers any more. */
  private void gone(Region part) {
    count(part);
    heap.usage.settle(heap.bins.count());
    listener.regionReleased(part.address(), part.bytes());
  }

  private void count(Region part) {
    grower.shrunk();
    heap.usage.regionReleased(part.bytes());
  }

  /**
   * Gives back parts of regions that grew part by part, in one range of reserved addresses: the parts that a free chunk
   * covers wholly, wherever in the region they lie, the highest first, while {@code keepFreeBytes} stay free. The parts
   * on either side become two regions.
   *
   * <pre>
   *  parts    |  0  |  1  |  2  |  3  |          |  0  |           |  2  |  3  |
   *  chunks   | used |   free    | used |   →    | used | free|    |free| used |
   * </pre>
   */
  private void releaseParts(long keepFreeBytes) {
    for (RegionTable.Row row : List.copyOf(heap.regions.rows())) {
      int chunk = row.lastChunk;
      for (int index = row.parts().size() - 1; index >= 0 && row.firstChunk != row.lastChunk; index--) {
        Region part = row.parts().get(index);
        while (heap.chunks.address(chunk) > part.address()) {
          chunk = heap.chunks.previous(chunk);
        }
        boolean covered = heap.chunks.isFreeForAll(chunk) && part.endAddress() <= heap.chunks.endAddress(chunk);
        if (covered && heap.usage.freeBytes() - part.bytes() >= keepFreeBytes) {
          chunk = cutOut(row, index, chunk);
        }
      }
    }
  }

  /**
   * Takes one part out of a region, and out of the free chunk that covers it and isn't all of the region. The part
   * above becomes a region of its own; the answer is the chunk that is then the last below.
   */
  private int cutOut(RegionTable.Row row, int index, int chunk) {
    Region part = row.parts().get(index);
    heap.chunks.ensureRoom(1);
    heap.regions.ensureRoom(heap.regions.rows().size() + 1);
    List<Region> parts = List.copyOf(row.parts().subList(index + 1, row.parts().size()));
    RegionTable.Row above = parts.isEmpty() ? null : RegionTable.Row.of(parts, NONE, NONE, row.idleSince);
    source.release(part);
    long endAddress = heap.chunks.endAddress(chunk);
    heap.bins.remove(heap.chunks, chunk);
    if (part.endAddress() < endAddress) {
      int rest = heap.createAfter(chunk, part.endAddress(), endAddress - part.endAddress());
      heap.bins.insert(heap.chunks, rest);
    }
    if (above != null) {
      above.firstChunk = heap.chunks.next(chunk);
      above.lastChunk = row.lastChunk;
      heap.chunks.setPrevious(above.firstChunk, NONE);
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
    gone(part);
    return below;
  }

  /** What is left of a chunk in no bin below {@code address}, or else the chunk before it, as the last of its chain. */
  private int keepBelow(int chunk, long address) {
    long from = heap.chunks.address(chunk);
    int below = heap.chunks.previous(chunk);
    if (from < address) {
      heap.chunks.setBytes(chunk, address - from);
      heap.bins.insert(heap.chunks, chunk);
      below = chunk;
    } else {
      heap.chunks.destroy(chunk);
    }
    heap.chunks.setNext(below, NONE);
    return below;
  }

  private void noteIdle(RegionTable.Row row) {
    if (heap.chunks.isFree(row.firstChunk)) {
      heap.idle(row.firstChunk);
    }
  }

  /** Gives every region back; nothing is held in any. Regions that the source does not accept stay. */
  void releaseAll() {
    heap.timed.mergeAll();
    Throwable failure = null;
    for (RegionTable.Row row : List.copyOf(heap.regions.rows()).reversed()) {
      try {
        release(row);
      } catch (RuntimeException | Error e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
