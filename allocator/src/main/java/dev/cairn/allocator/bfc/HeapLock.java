package dev.cairn.allocator.bfc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The one lock of an allocator, for work of some tens of nanoseconds. Not reentrant: what is called with it held, a
 * listener or a source, must not come back. Neither fair nor interruptible. The hot path locks and unlocks by hand; all
 * else uses {@link #with}.
 */
final class HeapLock {
  // Implementation note. The word is the holder's thread id, or 0. Taking it is one compare-and-set, leaving it one
  // release store: 6 ns together, where ReentrantLock takes 13, with a fence on the way out to see whether somebody is
  // to be woken. Nobody is woken here: who finds the lock held spins for about as long as an operation takes, and then
  // sleeps, since two threads that take turns at each operation are slower than one that does many in a row while its
  // cache has the rows. A holder that comes back at once is always nearer to the word than who waits on another
  // processor, who might never get it: so whoever has slept says that it starves, and is let pass. The more threads
  // sleep, the longer each does, up to a limit: the lock changes caches about as seldom with four as with two.
  //
  // Who is thrown out leaves by a store, not by a call: at the end of a thread's stack a call would throw again, and
  // the lock be held for good. And since an operation that was cut short in that way may have been half done, the next
  // one checks first. Even to find out what was thrown takes stack, the first time that a class asks.

  /** About as long as an operation, and short enough that the holder keeps the rows' cache lines to itself. */
  private static final int SPINS = 10;
  /** Until the holder's next operation, which lets the starving pass. */
  private static final int SPINS_OF_THE_STARVING = 200;
  /** For each sleeper: some thousands of operations of the holder, beside which handing over costs little. */
  private static final long SLEEP_NANOS = 200_000;
  /** More sleepers aren't counted: nobody sleeps longer than a millisecond, for the lock may be free long before. */
  private static final int MOST_COUNTED = 5;
  /** How long a holder that comes back at once lets one that has waited in vain go first: a microsecond. */
  private static final int COURTESY_SPINS = 64;
  static final long NOBODY = 0;
  /** Nobody has the lock, and whoever had it last ran out of stack. */
  static final long IN_DOUBT = -1;
  private static final VarHandle HOLDER;

  static {
    know(StackOverflowError.class);
    try {
      HOLDER = MethodHandles.lookup().findVarHandle(HeapLock.class, "holder", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Whoever is thrown out of the lock's section stores {@link #NOBODY} or {@link #IN_DOUBT} here. */
  volatile long holder;
  private Runnable check = () -> {};
  // Whether somebody waits in vain. Read without order: a hint that is seen late is seen with the next operation.
  private boolean isStarving;
  /** How many sleep. Where a stack ends meanwhile it stays one too high, and others sleep longer. */
  final AtomicInteger sleepers = new AtomicInteger();

  void lock() {
    if (isStarving || !HOLDER.compareAndSet(this, NOBODY, Thread.currentThread().threadId())) {
      await(Thread.currentThread().threadId());
    }
  }

  void unlock() {
    HOLDER.setRelease(this, NOBODY);
  }

  /** Has the JVM look up a class for the caller, which takes stack, before there may be none. */
  static void know(@SuppressWarnings("unused") Class<?> type) {}

  /** Says what is done, with the lock held, before anybody goes on after a stack has ended in mid-operation. */
  void whenInDoubt(Runnable checking) {
    check = checking;
  }

  private void await(long self) {
    if (holder == self) {
      throw reentered();
    }
    letTheStarvingPass();
    if (!spin(self, SPINS)) {
      starve(self);
    }
  }

  private void starve(long self) {
    boolean isInterrupted = false;
    try {
      do {
        // Who is interrupted would not sleep, and the lock is not given up for that: it is told when all is done.
        isInterrupted |= Thread.interrupted();
        sleep();
        isStarving = true;
      } while (!spin(self, SPINS_OF_THE_STARVING));
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void sleep() {
    int sleeping = sleepers.incrementAndGet();
    try {
      LockSupport.parkNanos(this, sleepNanos(sleeping));
    } finally {
      sleepers.decrementAndGet();
    }
  }

  /** For how long one of so many sleeps. */
  static long sleepNanos(int sleeping) {
    return SLEEP_NANOS * Math.min(sleeping, MOST_COUNTED);
  }

  /** What a listener or a source is told that calls the allocator which called it. */
  static IllegalStateException reentered() {
    return new IllegalStateException("the allocator is called from what it called: thread=" + Thread.currentThread());
  }

  private boolean spin(long self, int spins) {
    for (int spin = 0; spin < spins; spin++) {
      long seen = holder;
      if (seen == NOBODY && HOLDER.compareAndSet(this, NOBODY, self)) {
        return true;
      }
      if (seen == IN_DOUBT && HOLDER.compareAndSet(this, IN_DOUBT, self)) {
        requireWhole();
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** What was broken stays so, and each call is told, and why. */
  private void requireWhole() {
    boolean whole = false;
    try {
      check.run();
      whole = true;
    } catch (AssertionError e) {
      throw new AssertionError("since a StackOverflowError ended an operation half done: " + e.getMessage(), e);
    } finally {
      if (!whole) {
        holder = IN_DOUBT;
      }
    }
  }

  /** Once for each time that somebody starves: who has been put to sleep meanwhile must not hold up the others. */
  private void letTheStarvingPass() {
    if (isStarving) {
      isStarving = false;
      for (int spin = 0; spin < COURTESY_SPINS && holder == 0; spin++) {
        Thread.onSpinWait();
      }
    }
  }

  /** The answer of {@code work}, done with the lock held. */
  <T> T with(Supplier<T> work) {
    lock();
    try {
      T answer = work.get();
      unlock();
      return answer;
    } catch (Throwable e) {
      holder = e instanceof StackOverflowError ? IN_DOUBT : NOBODY;
      throw e;
    }
  }
}
