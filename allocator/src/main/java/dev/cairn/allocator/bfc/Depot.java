package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.lang.foreign.MemorySegment;

/**
 * The heap behind the front, which takes and gives chunks by the dozen: one lock guards it. All that the front has of
 * it is in use as the heap sees it, by nobody in particular; who really holds it is in the {@link FrontSlots}. Safe for
 * use by many threads. The word is Bonwick's (Magazines and Vmem, USENIX 2001).
 */
final class Depot {
  /** Slots that one grant may need. */
  private static final int ROOM = 4;

  final HeapLock lock = new HeapLock();
  final BfcHeap heap;
  final Owners owners = new Owners();
  final HeapReader reader;
  final MemorySpace space;
  private final FrontSlots slots;
  private final IdleTimes idleTimes = new IdleTimes();

  Depot(SubAllocator source, BfcOptions options, AllocationListener listener, FrontSlots slots) {
    if (source.space().isHostAccessible() && source.supportsCoalescing()) {
      throw new IllegalArgumentException("regions with segments can't merge: space=%s".formatted(source.space()));
    }
    this.space = source.space();
    this.heap = new BfcHeap(source, options, listener);
    this.reader = new HeapReader(heap, owners);
    this.slots = slots;
  }

  /**
   * A chunk for {@code bytes}, never to be parked, of what is free in the pool; {@link ChunkTable#NONE} where the pool
   * would have to grow.
   */
  int grantFromPool(long bytes) {
    lock.lock();
    try {
      return isInPool(bytes) ? filled(allocate(bytes), true) : NONE;
    } finally {
      lock.unlock();
    }
  }

  /** The same, where all demands must be met. */
  int grantFromPool(AllocationRequest request) {
    lock.lock();
    try {
      return isInPool(request) ? allocate(request) : NONE;
    } finally {
      lock.unlock();
    }
  }

  private boolean isInPool(AllocationRequest request) {
    return request.bytes() <= BfcHeap.MAXIMUM_REQUEST_BYTES
      && new Demand(Alignment.up(request.bytes(), Alignment.CHUNK_BYTES),
        Math.max(request.alignmentBytes(), Alignment.CHUNK_BYTES), request.freedBefore()).bestFit(heap) != NONE;
  }

  private boolean isInPool(long bytes) {
    return bytes <= BfcHeap.MAXIMUM_REQUEST_BYTES
      && heap.bins.bestFit(Alignment.up(bytes, Alignment.CHUNK_BYTES)) != NONE;
  }

  private int allocate(AllocationRequest request) {
    slots.ensureRoom(heap.chunks.rows() + ROOM);
    return filled(heap.allocate(request, Owners.NOBODY), true);
  }

  private int allocate(long bytes) {
    slots.ensureRoom(heap.chunks.rows() + ROOM);
    return heap.allocate(bytes, Owners.NOBODY);
  }

  private int filled(int chunk, boolean direct) {
    if (chunk != NONE) {
      slots.fill(chunk, heap.chunks.address(chunk), heap.chunks.bytes(chunk), direct);
    }
    return chunk;
  }

  /**
   * A chunk of a class of what is free in the pool, and more of them for the stripe's magazine, which is empty. Those
   * have no slack: what nobody asked for yet must not cost more than it is long.
   *
   * @return {@link ChunkTable#NONE} where the pool would have to grow
   */
  int refill(FrontStripe stripe, int sizeClass) {
    long bytes = FrontOptions.classBytes(sizeClass);
    int first = NONE;
    boolean done = false;
    lock.lock();
    try {
      first = isInPool(bytes) ? filled(allocate(bytes), false) : NONE;
      for (int left = first == NONE ? 0 : stripe.nextBatch(sizeClass) - 1; left > 0 && isInPool(bytes); left--) {
        left = parkNew(stripe, sizeClass, bytes) ? left : 0;
      }
      done = true;
      return first;
    } finally {
      if (!done && first != NONE) {
        heap.free(first);
      }
      lock.unlock();
    }
  }

  private boolean parkNew(FrontStripe stripe, int sizeClass, long bytes) {
    int chunk = allocate(bytes);
    if (chunk == NONE) {
      return false;
    }
    if (heap.chunks.bytes(chunk) > bytes) {
      heap.free(chunk);
      return false;
    }
    filled(chunk, false);
    stripe.push(sizeClass, chunk, bytes);
    return true;
  }

  /** A chunk for {@code bytes}, from a larger pool if need be; {@link ChunkTable#NONE} when there is none to be had. */
  int grant(long bytes, boolean direct) {
    lock.lock();
    try {
      return filled(allocate(bytes), direct);
    } finally {
      lock.unlock();
    }
  }

  /** A chunk that meets all demands, never to be parked; {@link ChunkTable#NONE} when there is none to be had. */
  int grant(AllocationRequest request) {
    lock.lock();
    try {
      return allocate(request);
    } finally {
      lock.unlock();
    }
  }

  /** A chunk with a region of its own; {@link ChunkTable#NONE} when there is none to be had. */
  int reserve(long bytes) {
    lock.lock();
    try {
      slots.ensureRoom(heap.chunks.rows() + ROOM);
      return filled(heap.keeper.reserve(bytes, Owners.NOBODY, 0), true);
    } finally {
      lock.unlock();
    }
  }

  /** Takes back what was just granted and has no holder yet. */
  void undo(int chunk) {
    lock.lock();
    try {
      heap.free(chunk);
    } finally {
      lock.unlock();
    }
  }

  /** Takes back what a holder gave up, on the stripe's account; what the heap doesn't take stays the holder's. */
  void release(int chunk, FrontStripe stripe) {
    lock.lock();
    try {
      long bytes = slots.bytes(chunk);
      long requested = slots.requestedBytes(chunk);
      // Before the heap has it: from then on its row may be another chunk's.
      slots.vacate(chunk);
      try {
        heap.free(chunk);
      } finally {
        if (heap.chunks.isInUse(chunk)) {
          slots.giveToHolder(chunk);
        } else {
          stripe.freed(bytes, requested);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes back up to {@code most} chunks of a magazine, those parked last. */
  void releaseSome(FrontStripe stripe, int sizeClass, int most) {
    int chunk = most > 0 ? stripe.pop(sizeClass) : NONE;
    if (chunk == NONE) {
      return;
    }
    lock.lock();
    try {
      for (int left = most; chunk != NONE; chunk = --left > 0 ? stripe.pop(sizeClass) : NONE) {
        slots.vacate(chunk);
        heap.free(chunk);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The bytes of a chunk in use, in memory that the host has access to. */
  MemorySegment segmentOf(int chunk) {
    return lock.with(() -> {
      // Regions that the host can reach don't merge: each has one part.
      Region part = heap.regions.holding(slots.address(chunk)).parts().getFirst();
      return part.segment().asSlice(slots.address(chunk) - part.address(), slots.bytes(chunk));
    });
  }

  /** Gives idle regions back; how many bytes. */
  long trim(TrimPolicy policy) {
    return lock.with(() -> {
      heap.timed.mergeSafe();
      long before = heap.usage.poolBytes();
      heap.releaser.trim(policy.keepFreeBytes(), idleTimes.before(policy.idleFor(), heap.usage.operations()));
      return before - heap.usage.poolBytes();
    });
  }

  /** Gives all regions back; nothing is in use. */
  void releaseAll() {
    lock.with(() -> {
      heap.releaser.releaseAll();
      return heap;
    });
  }
}
