package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.PoolEvent;
import java.util.List;

/**
 * Figures and maps of a front: what the heap has in use is shown with its holders, and what is parked as free. All
 * stripes are locked for the moment that is shown, and maps are made afterwards. Safe for use by many threads.
 */
final class FrontReader {
  private final Front front;
  private final FrontSlots slots;
  private final FrontStripes stripes;
  private final Depot depot;
  // What had gone through the stripes when the figures were cleared.
  private Flow clearedSmall = new Flow();
  private Flow clearedLarge = new Flow();

  FrontReader(Front front) {
    this.front = front;
    this.slots = front.slots;
    this.stripes = front.stripes;
    this.depot = front.depot;
  }

  /** A heap and the slots of the same moment. */
  private record Moment(HeapSnapshot heap, FrontSlots slots, AllocatorStats stats) {}

  /** The moment of a refusal, and what was done last before. */
  private record Refusal(List<PoolEvent> lastEvents, Moment moment) {}

  AllocatorStats stats() {
    return stripes.withAll(this::statsNow);
  }

  AllocatorStats clearStats() {
    return stripes.withAll(() -> {
      AllocatorStats stats = statsNow();
      clearedSmall = stripes.small();
      clearedLarge = stripes.large();
      for (FrontStripe stripe : stripes.all()) {
        stripe.clearLargest();
      }
      depot.lock.with(() -> {
        depot.heap.usage.clear();
        return stats;
      });
      return stats;
    });
  }

  /** All stripes are locked. */
  private AllocatorStats statsNow() {
    AllocatorStats heap = depot.lock.with(depot.reader::stats);
    Flow small = stripes.small();
    Flow large = stripes.large();
    AllocatorStats.Blocks smallBlocks = small.blocks(clearedSmall, heap.small());
    AllocatorStats.Blocks largeBlocks = large.blocks(clearedLarge, heap.large());
    Flow cleared = new Flow();
    cleared.add(clearedSmall);
    cleared.add(clearedLarge);
    small.add(large);
    return new AllocatorStats(small.blocks(cleared, heap.all()), smallBlocks, largeBlocks, heap.pool(), heap.regions(),
      heap.freeSplits(), heap.freeSplitBytes(), heap.bypass(), heap.limitBytes(), stripes.largestBytes(),
      heap.largestFreeBytes(), heap.timeHeldBytes(), heap.refusalCount(), heap.reserveCount());
  }

  MemoryMap map() {
    return map(stripes.withAll(this::momentNow));
  }

  /** Why a request can't be met. What was parked has gone to the heap: the figures are those of a pool alone. */
  OutOfMemory refusal(AllocationRequest request, AllocationListener listener) {
    Refusal refusal = stripes.withAll(() -> {
      front.requireOpen();
      stripes.flush(depot);
      depot.lock.with(() -> {
        depot.heap.usage.refused();
        return request;
      });
      List<PoolEvent> lastEvents = listener.lastEvents();
      return new Refusal(lastEvents, momentNow());
    });
    return new OutOfMemory(request, Demand.roundedBytes(request), map(refusal.moment))
      .withLastEvents(refusal.lastEvents);
  }

  /** All stripes are locked; the table is to be thawed. */
  private Moment momentNow() {
    AllocatorStats stats = statsNow();
    FrontSlots copy = slots.copy();
    return new Moment(depot.lock.with(depot.reader::snapshot), copy, stats);
  }

  private MemoryMap map(Moment moment) {
    boolean whole = false;
    MemoryMap map;
    boolean torn = false;
    try {
      map = drawn(moment);
      whole = true;
    } finally {
      torn = thaw(moment) && whole;
    }
    return torn ? stripes.withAll(this::mapNow) : map;
  }

  /** The Java heap had no room for the copy of a page: with all stripes locked none is needed. */
  private MemoryMap mapNow() {
    Moment moment = momentNow();
    try {
      return drawn(moment);
    } finally {
      thaw(moment);
    }
  }

  /** Whether the snapshot was spoilt. */
  private boolean thaw(Moment moment) {
    return depot.lock.with(() -> {
      boolean torn = depot.heap.chunks.isTorn(moment.heap.chunks());
      depot.heap.chunks.thaw();
      return torn;
    });
  }

  private MemoryMap drawn(Moment moment) {
    ChunkTable chunks = moment.heap.chunks();
    MemoryMapBuilder map = new MemoryMapBuilder(depot.space).ensureRoom(chunks.rows() - chunks.vacantCount());
    for (Owner owner : moment.heap.owners().subList(1, moment.heap.owners().size())) {
      map.owner(owner);
    }
    for (HeapSnapshot.Chain region : moment.heap.regions()) {
      map.region(region.address(), region.bytes());
      // A snapshot that was spoilt may be a cycle.
      int left = chunks.rows();
      for (int chunk = region.firstChunk(); chunk != NONE && left > 0; chunk = chunks.next(chunk), left--) {
        long address = chunks.address(chunk);
        long bytes = chunks.bytes(chunk);
        if (!chunks.isInUse(chunk)) {
          map.free(address, bytes, chunks.freedAt(chunk));
        } else if (moment.slots.isParked(chunk)) {
          map.free(address, bytes, 0);
        } else {
          map.inUse(address, bytes, moment.slots.requestedBytes(chunk), moment.slots.allocationId(chunk),
            moment.slots.owner(chunk), moment.slots.step(chunk));
        }
      }
    }
    return map.build(moment.stats);
  }

  /** All stripes are locked. */
  void requireNothingHeld() {
    AllocatorStats stats = statsNow();
    if (stats.liveCount() > 0) {
      throw new IllegalStateException("blocks are still held: liveCount=%d bytesInUse=%d largest: %s".formatted(
        stats.liveCount(), stats.bytesInUse(), largestHeld()));
    }
  }

  private String largestHeld() {
    int largest = NONE;
    for (int chunk = 0; chunk < slots.count(); chunk++) {
      boolean larger = largest == NONE || slots.bytes(chunk) > slots.bytes(largest);
      largest = slots.isHeld(chunk) && larger ? chunk : largest;
    }
    return largest == NONE ? "none" : describe(largest);
  }

  /** What is at an address, for messages; others may change it meanwhile. */
  String describe(long address) {
    for (int chunk = 0; chunk < slots.count(); chunk++) {
      long from = slots.address(chunk);
      if (slots.isHeld(chunk) && from <= address && address - from < slots.bytes(chunk)) {
        return "in use by " + describe(chunk);
      }
    }
    return "held by nobody";
  }

  /** The facts of one chunk, for messages. */
  String describe(int chunk) {
    return "id=%d owner=%s in chunk [0x%x, 0x%x) requestedBytes=%d".formatted(slots.allocationId(chunk),
      front.owners.owner(slots.owner(chunk)), slots.address(chunk), slots.address(chunk) + slots.bytes(chunk),
      slots.requestedBytes(chunk));
  }
}
