package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
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
  static {
    HeapLock.know(StackOverflowError.class);
  }

  final HeapLock lock = new HeapLock();
  final BfcHeap heap;
  final Owners owners = new Owners();
  final HeapReader reader;
  final MemorySpace space;
  private final FrontSlots slots;
  private final SerialListener listener;
  private final boolean isHeard;
  private final IdleTimes idleTimes = new IdleTimes();

  Depot(SubAllocator source, BfcOptions options, SerialListener listener, FrontSlots slots) {
    if (source.space().isHostAccessible() && source.supportsCoalescing()) {
      throw new IllegalArgumentException("regions with segments can't merge: space=%s".formatted(source.space()));
    }
    this.space = source.space();
    this.listener = listener;
    this.isHeard = listener.isHeard();
    this.heap = new BfcHeap(source, options, listener);
    this.lock.whenInDoubt(() -> Invariants.check(heap));
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
      int chunk = isInPool(bytes) ? filled(allocate(bytes), true) : NONE;
      lock.unlock();
      return chunk;
    } catch (Throwable e) {
      lock.holder = e instanceof StackOverflowError ? HeapLock.IN_DOUBT : HeapLock.NOBODY;
      throw e;
    }
  }

  /** The same, where all demands must be met. */
  int grantFromPool(AllocationRequest request) {
    return lock.with(() -> isInPool(request) ? allocate(request) : NONE);
  }

  private boolean isInPool(AllocationRequest request) {
    return request.bytes() <= BfcHeap.MAXIMUM_REQUEST_BYTES
      && new Demand(Alignment.up(request.bytes(), Alignment.CHUNK_BYTES),
        Math.max(request.alignmentBytes(), Alignment.CHUNK_BYTES), request.freedBefore()).bestFit(heap) != NONE;
  }

  private boolean isInPool(long bytes) {
    return bytes <= BfcHeap.MAXIMUM_REQUEST_BYTES
      && heap.bins.bestFit(heap.chunks, Alignment.up(bytes, Alignment.CHUNK_BYTES)) != NONE;
  }

  private int allocate(AllocationRequest request) {
    return filled(heap.allocate(request, Owners.NOBODY), true);
  }

  private int allocate(long bytes) {
    return heap.allocate(bytes, Owners.NOBODY);
  }

  /** Takes a chunk that the heap granted into its slot. */
  private int filled(int chunk, boolean direct) {
    if (chunk != NONE) {
      ensureSlot(chunk);
      slots.fill(chunk, heap.chunks.address(chunk), heap.chunks.bytes(chunk), direct);
    }
    return chunk;
  }

  /** Makes a slot for a chunk that was just granted; without one the heap has it again. */
  private void ensureSlot(int chunk) {
    boolean made = false;
    try {
      // Only now, for a grant from a pool that grows by pages may take any number of rows.
      slots.ensureRoom(chunk + 1);
      made = true;
    } finally {
      if (!made) {
        heap.free(chunk);
      }
    }
  }

  /**
   * A chunk of a class of what is free in the pool, and more of them for the stripe's magazine, which is empty. Those
   * have no slack: what nobody asked for yet must not cost more than it is long.
   *
   * @return {@link ChunkTable#NONE} where the pool would have to grow
   */
  int refill(FrontStripe stripe, int sizeClass) {
    lock.lock();
    try {
      int chunk = refilled(stripe, sizeClass, FrontOptions.classBytes(sizeClass));
      lock.unlock();
      return chunk;
    } catch (Throwable e) {
      lock.holder = e instanceof StackOverflowError ? HeapLock.IN_DOUBT : HeapLock.NOBODY;
      throw e;
    }
  }

  private int refilled(FrontStripe stripe, int sizeClass, long bytes) {
    int first = isInPool(bytes) ? filled(allocate(bytes), false) : NONE;
    boolean done = false;
    try {
      for (int left = first == NONE ? 0 : stripe.nextBatch(sizeClass) - 1; left > 0 && isInPool(bytes); left--) {
        left = parkNew(stripe, sizeClass, bytes) ? left : 0;
      }
      done = true;
      return first;
    } finally {
      if (!done && first != NONE) {
        heap.free(first);
      }
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
      int chunk = filled(allocate(bytes), direct);
      lock.unlock();
      return chunk;
    } catch (Throwable e) {
      lock.holder = e instanceof StackOverflowError ? HeapLock.IN_DOUBT : HeapLock.NOBODY;
      throw e;
    }
  }

  /** A chunk that meets all demands, never to be parked; {@link ChunkTable#NONE} when there is none to be had. */
  int grant(AllocationRequest request) {
    return lock.with(() -> allocate(request));
  }

  /** A chunk with a region of its own; {@link ChunkTable#NONE} when there is none to be had. */
  int reserve(long bytes) {
    return lock.with(() -> filled(heap.keeper.reserve(bytes, Owners.NOBODY, 0), true));
  }

  /** Takes back what was just granted and has no holder yet. */
  void undo(int chunk) {
    lock.with(() -> {
      heap.free(chunk);
      return heap;
    });
  }

  /**
   * Takes back what a holder gave up, on the stripe's account, and tells the listener; what the heap doesn't take stays
   * the holder's.
   */
  void release(int chunk, FrontStripe stripe) {
    lockFor(chunk);
    try {
      long bytes = slots.bytes(chunk);
      long requested = slots.requestedBytes(chunk);
      long address = slots.address(chunk);
      long id = slots.allocationId(chunk);
      // Before the heap has it: from then on its row may be another chunk's.
      slots.vacate(chunk);
      try {
        heap.free(chunk);
      } catch (RuntimeException | Error e) {
        if (heap.chunks.isInUse(chunk)) {
          slots.giveToHolder(chunk);
        } else {
          stripe.freed(bytes, requested);
          HandleFace.tellFreed(listener, id, address, bytes, e);
        }
        throw e;
      }
      stripe.freed(bytes, requested);
      if (isHeard) {
        listener.freed(id, address, bytes);
      }
      lock.unlock();
    } catch (Throwable e) {
      lock.holder = e instanceof StackOverflowError ? HeapLock.IN_DOUBT : HeapLock.NOBODY;
      throw e;
    }
  }

  private void lockFor(int chunk) {
    boolean locked = false;
    try {
      lock.lock();
      locked = true;
    } finally {
      if (!locked) {
        slots.giveToHolder(chunk);
      }
    }
  }

  /** Takes back up to {@code most} chunks of a magazine, those parked last. */
  void releaseSome(FrontStripe stripe, int sizeClass, int most) {
    int count = Math.min(most, stripe.parkedCount(sizeClass));
    if (count == 0) {
      return;
    }
    lock.lock();
    try {
      for (int i = 0; i < count; i++) {
        int chunk = stripe.pop(sizeClass);
        slots.vacate(chunk);
        heap.free(chunk);
      }
      lock.unlock();
    } catch (Throwable e) {
      lock.holder = e instanceof StackOverflowError ? HeapLock.IN_DOUBT : HeapLock.NOBODY;
      throw e;
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
