package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.device.ProcessorWaits;

/**
 * How far a stream has come, and the threads that wait for it. One thread passes marks; any number wait. A waiter spins
 * briefly, since a stream is often nearly there, and then sleeps. Interrupts are kept for later: memory that work may
 * still touch must not be let go of.
 */
final class PassedMarks {
  private static final int SPINS_BEFORE_SLEEPING = 10_000;

  private final Object lock = new Object();
  private final Runnable beforeSleep;
  private volatile long passed;
  private volatile int sleepers;

  PassedMarks() {
    this(() -> {});
  }

  /** @param beforeSleep called by a waiter, with the lock held, each time before it sleeps */
  PassedMarks(Runnable beforeSleep) {
    this.beforeSleep = beforeSleep;
  }

  boolean has(long mark) {
    return passed >= mark;
  }

  /** Passes a mark, in rising order. */
  void pass(long mark) {
    passed = mark;
    // A sleeper counts itself before it reads the mark, and this thread does both in the opposite order, so one of them
    // sees the other.
    if (sleepers > 0) {
      synchronized (lock) {
        lock.notifyAll();
      }
    }
  }

  void await(long mark) {
    for (int spins = 0; passed < mark; spins++) {
      if (spins >= ProcessorWaits.OF_PROCESS.spins(SPINS_BEFORE_SLEEPING)) {
        sleepUntil(mark);
        return;
      }
      Thread.onSpinWait();
    }
  }

  private void sleepUntil(long mark) {
    boolean interrupted = false;
    synchronized (lock) {
      sleepers++;
      while (passed < mark) {
        try {
          beforeSleep.run();
          lock.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      sleepers--;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
