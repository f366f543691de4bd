package dev.cairn.runtime.engine.worker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * How long a thread waits: it spins for a moment, as what it waits for is often nearly there, and then sleeps. An
 * interrupt does not end the wait; the thread has it again afterwards.
 */
public final class SpinThenSleep {
  private static final long POLL_NANOS = 50_000;
  private static final int SPINS_BETWEEN_LOOKS_AT_THE_CLOCK = 32;
  private final long spinNanos;
  private final long patienceNanos;

  private SpinThenSleep(long spinNanos, long patienceNanos) {
    this.spinNanos = spinNanos;
    this.patienceNanos = patienceNanos;
  }

  /** Until the condition holds. */
  public static SpinThenSleep endless(long spinNanos) {
    return new SpinThenSleep(spinNanos, Long.MAX_VALUE);
  }

  /** No longer than that. */
  public static SpinThenSleep of(long spinNanos, Duration most) {
    long nanos = most.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : most.toNanos();
    return new SpinThenSleep(Math.min(spinNanos, nanos), nanos);
  }

  /** Whether it has no limit. */
  public boolean isEndless() {
    return patienceNanos == Long.MAX_VALUE;
  }

  /**
   * Returns true when the condition holds, false when the patience ends. A thread that makes the condition hold unparks
   * the waiting one.
   */
  public boolean until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < spinNanos) {
      for (int i = 0; i < SPINS_BETWEEN_LOOKS_AT_THE_CLOCK; i++) {
        if (condition.getAsBoolean()) {
          return true;
        }
        Thread.onSpinWait();
      }
    }
    return sleepUntil(condition, start, Long.MAX_VALUE);
  }

  /** The same where no thread unparks the waiting one: it looks again and again. */
  public boolean untilPolled(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < spinNanos) {
      if (condition.getAsBoolean()) {
        return true;
      }
      Thread.onSpinWait();
    }
    return sleepUntil(condition, start, POLL_NANOS);
  }

  private boolean sleepUntil(BooleanSupplier condition, long start, long longestNanos) {
    boolean interrupted = false;
    try {
      while (!condition.getAsBoolean()) {
        long left = patienceNanos - (System.nanoTime() - start);
        if (left <= 0) {
          return false;
        }
        LockSupport.parkNanos(this, Math.min(left, longestNanos));
        interrupted |= Thread.interrupted();
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
