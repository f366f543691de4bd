package dev.cairn.allocator.bfc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The one lock of an allocator, for work of some tens of nanoseconds. Not reentrant: a listener or a source that is
 * called with it held must not come back. Neither fair nor interruptible.
 */
final class HeapLock {
  // Implementation note (docs/decisions/0006). The word is the holder's thread id, or 0. Taking it is one
  // compare-and-set, leaving it one release store: half of what ReentrantLock costs, which fences when it is left, to
  // see whether a thread must be woken. No thread is woken here: a thread that finds the lock held spins for about as
  // long as an operation takes, and then sleeps, since two threads that alternate at each operation are slower than one
  // that does many in a row while its cache has the rows. A holder that comes back at once is always nearer to the word
  // than a waiting thread on another processor, so a thread that has slept says that it starves, and is let pass.

  /** About as long as an operation, and short enough that the holder keeps the rows' cache lines to itself. */
  private static final int SPINS = 10;
  /** Until the holder's next operation, which lets the starving thread pass. */
  private static final int SPINS_OF_THE_STARVING = 200;
  /** Some thousands of operations of the holder, beside which handing over costs little. */
  private static final long SLEEP_NANOS = 400_000;
  /** How long a holder that comes back at once lets a starving thread go first: a microsecond. */
  private static final int COURTESY_SPINS = 64;
  private static final long FREE = 0;
  private static final VarHandle HOLDER;

  static {
    try {
      HOLDER = MethodHandles.lookup().findVarHandle(HeapLock.class, "holder", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Runnable sleep;
  private volatile long holder;
  // Whether a thread starves. Read without order: a hint that is seen late is seen with the next operation.
  private boolean isStarving;

  HeapLock() {
    this.sleep = () -> LockSupport.parkNanos(this, SLEEP_NANOS);
  }

  /** @param sleep called by a thread that finds the lock held, between its attempts to take the lock */
  HeapLock(Runnable sleep) {
    this.sleep = sleep;
  }

  void lock() {
    if (isStarving || !HOLDER.compareAndSet(this, FREE, Thread.currentThread().threadId())) {
      await(Thread.currentThread().threadId());
    }
  }

  void unlock() {
    HOLDER.setRelease(this, FREE);
  }

  private void await(long self) {
    if (holder == self) {
      throw new IllegalStateException("reentrant call of an allocator by its listener or source: thread="
        + Thread.currentThread());
    }
    letTheStarvingPass();
    boolean isInterrupted = false;
    for (boolean isHeld = spin(self, SPINS); !isHeld; isHeld = spin(self, SPINS_OF_THE_STARVING)) {
      // An interrupted thread would not sleep. The flag is cleared here, and set again once the thread has the lock.
      isInterrupted |= Thread.interrupted();
      sleep.run();
      isStarving = true;
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean spin(long self, int spins) {
    for (int spin = 0; spin < spins; spin++) {
      if (holder == FREE && HOLDER.compareAndSet(this, FREE, self)) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** Once for each time that a thread starves: one that has been put to sleep meanwhile must not hold up the others. */
  private void letTheStarvingPass() {
    if (isStarving) {
      isStarving = false;
      for (int spin = 0; spin < COURTESY_SPINS && holder == FREE; spin++) {
        Thread.onSpinWait();
      }
    }
  }
}
