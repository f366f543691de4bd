package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.device.ProcessorWaits;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue between the one thread that gives work to a stream and the one that does it: slots of an object and a
 * number, used again and again. The taker spins briefly when there is nothing, since the next step of a run follows
 * within microseconds, and then parks. Makes no garbage.
 */
final class StreamRing {
  static final int CAPACITY = 2048;
  private static final int SPINS_BEFORE_PARKING = 10_000;
  private static final long FULL_PAUSE_NANOS = 20_000;

  private final @Nullable Object[] items = new Object[CAPACITY];
  private final long[] numbers = new long[CAPACITY];
  private final Runnable pauseWhenFull;
  private volatile long put;
  private volatile long taken;
  private volatile boolean parked;
  private volatile boolean closed;

  StreamRing() {
    this.pauseWhenFull = () -> LockSupport.parkNanos(this, FULL_PAUSE_NANOS);
  }

  /** @param pauseWhenFull the giver calls it, instead of parking, while the ring is full */
  StreamRing(Runnable pauseWhenFull) {
    this.pauseWhenFull = pauseWhenFull;
  }

  /** For the giver: waits while the ring is full. */
  void put(Object item, long number, Thread taker) {
    long at = put;
    for (int spins = 0; at - taken == CAPACITY; spins++) {
      if (spins < ProcessorWaits.OF_PROCESS.spins(SPINS_BEFORE_PARKING)) {
        Thread.onSpinWait();
      } else {
        pauseWhenFull.run();
      }
    }
    int slot = (int) at & (CAPACITY - 1);
    items[slot] = item;
    numbers[slot] = number;
    put = at + 1;
    wake(taker);
  }

  /** No more will be put. */
  void close(Thread taker) {
    closed = true;
    wake(taker);
  }

  boolean isClosed() {
    return closed;
  }

  private void wake(Thread taker) {
    if (parked) {
      parked = false;
      LockSupport.unpark(taker);
    }
  }

  /** For the taker: true when there is a next one; waits for it. False when the ring is closed and empty. */
  boolean awaitNext() {
    for (int spins = 0; put == taken; spins++) {
      // The reads have this order, so that work that was put before closing is seen.
      if (closed && put == taken) {
        return false;
      }
      if (spins < ProcessorWaits.OF_PROCESS.spins(SPINS_BEFORE_PARKING)) {
        Thread.onSpinWait();
      } else {
        park();
      }
    }
    return true;
  }

  private void park() {
    parked = true;
    if (put == taken && !closed) {
      LockSupport.park(this);
      // Work may have left the thread interrupted, and an interrupted thread never sleeps.
      Thread.interrupted();
    }
    parked = false;
  }

  /** The next one's number; there must be one. */
  long number() {
    return numbers[(int) taken & (CAPACITY - 1)];
  }

  /** Takes the next one; there must be one. */
  Object take() {
    long at = taken;
    int slot = (int) at & (CAPACITY - 1);
    Object item = items[slot];
    if (item == null) {
      throw new AssertionError("nothing to take: taken=%d put=%d".formatted(at, put));
    }
    items[slot] = null;
    taken = at + 1;
    return item;
  }
}
