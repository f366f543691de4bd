package dev.cairn.allocator.bfc;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The stripes of a front. A thread goes to the stripe of its number, and past it when it is locked, so that nobody
 * waits unless all are; a thread that ends, real or virtual, leaves nothing behind. Stripes are locked before the heap
 * is, and all of them only in their order.
 */
final class FrontStripes {
  // Steps of the golden ratio spread the numbers of threads evenly.
  private static final long HASH = 0x9E3779B97F4A7C15L;

  private final FrontStripe[] stripes;
  private final int mask;
  private final int shift;
  private final AtomicLong ids = new AtomicLong();
  private final SerialListener listener;

  FrontStripes(FrontOptions options, FrontSlots slots, SerialListener listener) {
    this.listener = listener;
    stripes = new FrontStripe[options.stripes()];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new FrontStripe(options, slots, ids);
    }
    mask = stripes.length - 1;
    // A shift by 64 would be one by 0, so one bit more is kept.
    shift = Long.SIZE - 1 - Integer.numberOfTrailingZeros(stripes.length);
  }

  private int home(long self) {
    return (int) ((self * HASH) >>> shift) & mask;
  }

  /** This thread's own stripe, which is locked already. */
  FrontStripe own() {
    return stripes[home(Thread.currentThread().threadId())];
  }

  /**
   * A stripe for this thread, locked.
   *
   * @throws IllegalStateException when what the allocator called, a listener or a source, calls it
   */
  FrontStripe locked() {
    listener.requireSilent();
    long self = Thread.currentThread().threadId();
    FrontStripe stripe = stripes[home(self)];
    return stripe.tryLock(self) ? stripe : lockedOther(self);
  }

  private FrontStripe lockedOther(long self) {
    int home = home(self);
    stripes[home].requireOthers(self);
    for (int tries = 0;; tries++) {
      for (int i = 1; i <= stripes.length; i++) {
        FrontStripe stripe = stripes[(home + i) & mask];
        if (stripe.tryLock(self)) {
          return stripe;
        }
        stripe.requireOthers(self);
      }
      StripeLock.pause(tries);
    }
  }

  /** The answer of {@code work}, done with all stripes locked: between the calls of all other threads. */
  <T> T withAll(Supplier<T> work) {
    lockAll();
    try {
      return work.get();
    } finally {
      unlockAll();
    }
  }

  /** As {@link #locked}, for all stripes; none is locked when it throws. */
  void lockAll() {
    listener.requireSilent();
    long self = Thread.currentThread().threadId();
    int locked = 0;
    try {
      while (locked < stripes.length) {
        stripes[locked].lock(self);
        locked++;
      }
    } finally {
      if (locked < stripes.length) {
        unlock(locked);
      }
    }
  }

  void unlockAll() {
    unlock(stripes.length);
  }

  private void unlock(int count) {
    for (int i = 0; i < count; i++) {
      stripes[i].unlock();
    }
  }

  /** Gives all that is parked to the heap; all stripes are locked. */
  void flush(Depot depot) {
    for (FrontStripe stripe : stripes) {
      stripe.flush(depot);
    }
  }

  FrontStripe[] all() {
    return stripes;
  }

  /** All grant numbers given out are below this. */
  long endOfIds() {
    return ids.get();
  }

  /** What went through all stripes in small chunks; all are locked. */
  Flow small() {
    Flow sum = new Flow();
    for (FrontStripe stripe : stripes) {
      sum.add(stripe.small);
    }
    return sum;
  }

  /** What went through all stripes in large chunks; all are locked. */
  Flow large() {
    Flow sum = new Flow();
    for (FrontStripe stripe : stripes) {
      sum.add(stripe.large);
    }
    return sum;
  }

  long largestBytes() {
    long largest = 0;
    for (FrontStripe stripe : stripes) {
      largest = Math.max(largest, stripe.largestBytes());
    }
    return largest;
  }

  long parkedBytes() {
    long bytes = 0;
    for (FrontStripe stripe : stripes) {
      bytes += stripe.parkedBytes();
    }
    return bytes;
  }
}
