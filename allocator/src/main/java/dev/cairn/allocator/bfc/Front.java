package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.SubAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Stripes of magazines before a heap, without checks of what callers say and without blocks. Safe for use by many
 * threads; a call that throws leaves it as it was.
 *
 * <p>Invariants, checked by {@link FrontInvariants} between the calls of all threads:
 *
 * <pre>
 *  F1 slotted: each chunk in use in the heap is held or parked, and nothing else is; its slot says where
 *  F2 stacked: each parked chunk is in one magazine, once, and whatever is in a magazine is parked
 *  F3 sized: a parked chunk is as long as its class or less than twice that; a held one has at least what was asked for
 *  F4 counted: what went in and out of all stripes is what is held; a stripe's parked bytes are those of its magazines
 *  F5 bounded: no magazine has more chunks, and no stripe more bytes, than the options allow
 *  F6 identified: the ids of held chunks were given out, each to one chunk
 * </pre>
 */
final class Front {
  // Implementation note. What is asked for is rounded up to 256, and the magazine of that size in this thread's stripe
  // has the answer, or else a batch from the heap, under one acquisition of its lock. A chunk that comes back is parked
  // in the stripe of whoever gives it back; what is too much goes to the heap, some at a time. A stripe stays locked
  // while its thread is with the heap; others pass it by. The pool neither grows nor refuses while anything is parked:
  // all stripes are locked and emptied first, and the heap is asked with them locked, so that nothing is parked
  // meanwhile. A handle is known for what it is by its slot's state alone, and of two threads that release it one wins
  // the CAS. Where frees have times, or the pool has two ends, nothing is parked: a parked chunk has neither.

  final FrontSlots slots = new FrontSlots();
  final FrontStripes stripes;
  final Depot depot;
  final FrontOptions options;
  final FrontOwners owners;
  private final SerialListener listener;
  private final boolean isHeard;
  private final boolean parks;
  private final long largestBytes;
  private volatile int step;
  private volatile boolean closed;

  Front(SubAllocator source, BfcOptions heapOptions, FrontOptions options, SerialListener listener) {
    this.options = options;
    this.listener = listener;
    this.isHeard = listener.isHeard();
    this.parks = heapOptions.clock() == null && !heapOptions.twoEnded();
    this.largestBytes = parks ? options.largestBytes() : 0;
    this.stripes = new FrontStripes(options, slots, listener);
    this.depot = new Depot(source, heapOptions, listener, slots);
    this.owners = new FrontOwners(depot);
  }

  /** A handle for {@code bytes}, positive; {@link Block#NO_HANDLE} when they are not to be had. */
  long grant(long bytes, int owner) {
    if (bytes > largestBytes) {
      return grantDirectly(bytes, owner, null);
    }
    FrontStripe stripe = stripes.locked();
    try {
      requireOpen();
      int sizeClass = FrontOptions.classOf(bytes);
      int chunk = stripe.pop(sizeClass);
      if (chunk == NONE) {
        chunk = depot.refill(stripe, sizeClass);
      }
      if (chunk != NONE) {
        return granted(stripe, chunk, bytes, owner);
      }
    } finally {
      stripe.unlock();
    }
    return grantUnderPressure(bytes, owner, null);
  }

  /** The same, with demands that a parked chunk can't meet. */
  long grant(AllocationRequest request, int owner) {
    return grantDirectly(request.bytes(), owner, request);
  }

  private long grantDirectly(long bytes, int owner, @Nullable AllocationRequest demands) {
    FrontStripe stripe = stripes.locked();
    try {
      requireOpen();
      int chunk = parks ? fromPool(bytes, demands) : fromDepot(bytes, demands);
      if (chunk != NONE) {
        return granted(stripe, chunk, bytes, owner);
      }
    } finally {
      stripe.unlock();
    }
    return parks ? grantUnderPressure(bytes, owner, demands) : Block.NO_HANDLE;
  }

  private int fromPool(long bytes, @Nullable AllocationRequest demands) {
    return demands == null ? depot.grantFromPool(bytes) : depot.grantFromPool(demands);
  }

  private int fromDepot(long bytes, @Nullable AllocationRequest demands) {
    if (demands != null) {
      return depot.grant(demands);
    }
    return bytes > largestBytes
      ? depot.grant(bytes, true)
      : depot.grant(Alignment.up(bytes, Alignment.CHUNK_BYTES), false);
  }

  /** Gives all that is parked to the heap and asks it then, which may let the pool grow. */
  private long grantUnderPressure(long bytes, int owner, @Nullable AllocationRequest demands) {
    stripes.lockAll();
    try {
      requireOpen();
      stripes.flush(depot);
      int chunk = fromDepot(bytes, demands);
      return chunk == NONE ? Block.NO_HANDLE : granted(stripes.own(), chunk, bytes, owner);
    } finally {
      stripes.unlockAll();
    }
  }

  /** A handle for a region of {@code bytes} alone; {@link Block#NO_HANDLE} when they are not to be had. */
  long reserve(long bytes, int owner) {
    FrontStripe stripe = stripes.locked();
    try {
      requireOpen();
      int chunk = depot.reserve(bytes);
      return chunk == NONE ? Block.NO_HANDLE : granted(stripe, chunk, bytes, owner);
    } finally {
      stripe.unlock();
    }
  }

  private long granted(FrontStripe stripe, int chunk, long bytes, int owner) {
    long id = stripe.nextId();
    if (isHeard) {
      announce(chunk, id, bytes, owner);
    }
    stripe.granted(slots.bytes(chunk), bytes);
    return slots.grant(chunk, id, bytes, owner, step);
  }

  /** Tells the listener of a grant, which it may undo by throwing. */
  private void announce(int chunk, long id, long bytes, int owner) {
    boolean kept = false;
    try {
      listener.granted(id, slots.address(chunk), slots.bytes(chunk), bytes, owners.owner(owner));
      kept = true;
    } finally {
      if (!kept) {
        depot.undo(chunk);
      }
    }
  }

  /**
   * Takes back a chunk that was {@link FrontSlots#takeFromHolder taken from its holder}, who has it again when this
   * throws, but for what the listener throws.
   */
  void giveBack(int chunk) {
    FrontStripe stripe = lockedFor(chunk);
    try {
      long bytes = slots.bytes(chunk);
      long requested = slots.requestedBytes(chunk);
      if (!parksNow(stripe, chunk, bytes, requested)) {
        depot.release(chunk, stripe);
        return;
      }
      long id = slots.allocationId(chunk);
      long address = slots.address(chunk);
      stripe.freed(bytes, requested);
      stripe.push(FrontOptions.classOf(requested), chunk, bytes);
      if (isHeard) {
        listener.freed(id, address, bytes);
      }
    } finally {
      stripe.unlock();
    }
  }

  private FrontStripe lockedFor(int chunk) {
    boolean locked = false;
    try {
      FrontStripe stripe = stripes.locked();
      locked = true;
      return stripe;
    } finally {
      if (!locked) {
        slots.giveToHolder(chunk);
      }
    }
  }

  /** Whether a chunk is worth parking and has room, which is made if need be. */
  private boolean parksNow(FrontStripe stripe, int chunk, long bytes, long requested) {
    if (slots.isDirect(chunk)) {
      return false;
    }
    int sizeClass = FrontOptions.classOf(requested);
    if (bytes >= 2 * FrontOptions.classBytes(sizeClass) || bytes > options.stripeBytes()) {
      return false;
    }
    if (!stripe.hasRoom(sizeClass, bytes)) {
      boolean made = false;
      try {
        stripe.makeRoom(sizeClass, bytes, depot);
        made = true;
      } finally {
        if (!made) {
          slots.giveToHolder(chunk);
        }
      }
    }
    return true;
  }

  void beginStep(int newStep) {
    step = newStep;
  }

  long trim(TrimPolicy policy) {
    return stripes.withAll(() -> {
      requireOpen();
      stripes.flush(depot);
      return depot.trim(policy);
    });
  }

  /** Gives everything back, if nothing is held. */
  void close(FrontReader reader) {
    stripes.withAll(() -> {
      requireOpen();
      reader.requireNothingHeld();
      stripes.flush(depot);
      depot.releaseAll();
      closed = true;
      return closed;
    });
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("allocator is closed: space=" + depot.space);
    }
  }
}
