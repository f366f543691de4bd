package dev.cairn.allocator.bfc;

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
    if (grower.allowedBytes(heap.usage.poolBytes() - idleBytes()) < wantedBytes) {
      return false;
    }
    long before = heap.usage.poolBytes();
    release(0, IdleTimes.ANY);
    return heap.usage.poolBytes() < before;
  }

  private long idleBytes() {
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
   * when any time will do, parts of regions that grew part by part.
   */
  void trim(long keepFreeBytes, long operations) {
    release(keepFreeBytes, operations);
    if (operations == IdleTimes.ANY && heap.ends() == null) {
      new FreeParts(heap, this).release(keepFreeBytes);
      // What lay below a part that went may be idle as a whole now.
      release(keepFreeBytes, operations);
    }
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
    TwoEnds ends = heap.ends();
    if (ends != null && ends.gap() == chunk) {
      ends.forgetGap();
    }
    heap.rouse(chunk);
    heap.bins.remove(heap.chunks, chunk);
    try {
      while (!row.parts().isEmpty()) {
        Region part = row.parts().getLast();
        giveBack(part);
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
        if (ends != null) {
          ends.remember(chunk);
        }
      }
      heap.usage.settle(heap.freeChunks());
    }
  }

  /** Gives a part of a region to the source, which the heap goes on having until it is {@link #gone}. */
  void giveBack(Region part) {
    source.release(part);
  }

  /** Tells of a part of a region that was given back, and that no chunk covers any more. */
  void gone(Region part) {
    count(part);
    heap.usage.settle(heap.freeChunks());
    listener.regionReleased(part.address(), part.bytes());
  }

  private void count(Region part) {
    grower.shrunk();
    heap.usage.regionReleased(part.bytes());
  }

  /** Gives every region back; nothing is held in any. */
  void releaseAll() {
    heap.timed.mergeAll();
    while (!heap.regions.rows().isEmpty()) {
      release(heap.regions.rows().getLast());
    }
  }
}
