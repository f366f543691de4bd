package dev.cairn.runtime.executor;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When to give up one run: asked before each step, and while the run waits for memory or its turn. Work under way is
 * never interrupted, since it touches memory that others will have next. Thread-safe as far as the supplier is.
 */
public final class RunLimit {
  /** The most trips of a loop, unless a run's options say otherwise. */
  public static final long MOST_TRIPS = Integer.MAX_VALUE;
  /** Never, but for loops of more than {@link #MOST_TRIPS}; asking costs nothing. */
  public static final RunLimit NONE = new RunLimit(() -> false, Long.MAX_VALUE, MOST_TRIPS, true, System::nanoTime);

  /** A waiting run looks this often whether it was cancelled. */
  private static final long PATIENCE_NANOS = 1_000_000;

  private final BooleanSupplier cancelled;
  private final long timeoutNanos;
  private final long mostTrips;
  private final boolean never;
  private final LongSupplier clock;
  private final long begun;
  /** The step whose bodies run; negative for the run itself. */
  private final int outer;
  /** By step of a piece of the run's graph, the step of the graph; null where steps are the graph's. */
  private final int @Nullable [] places;

  private RunLimit(BooleanSupplier cancelled, long timeoutNanos, long mostTrips, boolean never, LongSupplier clock) {
    this.cancelled = cancelled;
    this.timeoutNanos = timeoutNanos;
    this.mostTrips = mostTrips;
    this.never = never;
    this.clock = clock;
    this.begun = clock.getAsLong();
    this.outer = -1;
    this.places = null;
  }

  private RunLimit(RunLimit other, int outer, int @Nullable [] places) {
    this.cancelled = other.cancelled;
    this.timeoutNanos = other.timeoutNanos;
    this.mostTrips = other.mostTrips;
    this.never = other.never;
    this.clock = other.clock;
    this.begun = other.begun;
    this.outer = outer;
    this.places = places;
  }

  /**
   * A limit whose time begins now.
   *
   * @param timeoutNanos {@code Long.MAX_VALUE} for any time
   */
  public static RunLimit from(BooleanSupplier cancelled, long timeoutNanos) {
    return from(cancelled, timeoutNanos, MOST_TRIPS, System::nanoTime);
  }

  /**
   * Like {@link #from(BooleanSupplier, long)}.
   *
   * @param mostTrips of each loop
   * @param clock in nanoseconds, as {@link System#nanoTime}; a run that waits reads it repeatedly
   */
  public static RunLimit from(BooleanSupplier cancelled, long timeoutNanos, long mostTrips, LongSupplier clock) {
    return new RunLimit(cancelled, timeoutNanos, mostTrips, false, clock);
  }

  /** The same limit for the bodies of a step, whose steps count as that one. */
  RunLimit within(int step) {
    return outer >= 0 ? this : new RunLimit(this, place(step), null);
  }

  /** The same limit for a piece of the run's graph, whose steps have these places in the graph. */
  public RunLimit inPiece(int[] stepPlaces) {
    return new RunLimit(this, outer, stepPlaces);
  }

  private int place(int step) {
    return places == null ? step : places[step];
  }

  /**
   * Before a trip of a loop.
   *
   * @throws RunStopped when the trip is not to begin
   */
  void checkTrip(long trip) {
    if (trip >= mostTrips) {
      throw stopped(RunStopped.Reason.TRIPS, outer);
    }
    check(outer);
  }

  /** Whether this run is never given up. */
  boolean isNone() {
    return never;
  }

  /**
   * Before a step.
   *
   * @throws RunStopped when the step is not to begin
   */
  void check(int step) {
    if (!never) {
      require(outer < 0 ? place(step) : outer);
    }
  }

  /** @throws RunStopped when there is nothing to wait for any more */
  public void checkWaiting() {
    if (!never) {
      require(-1);
    }
  }

  private void require(int step) {
    if (cancelled.getAsBoolean()) {
      throw stopped(RunStopped.Reason.CANCELLED, step);
    }
    if (timeoutNanos != Long.MAX_VALUE && clock.getAsLong() - begun >= timeoutNanos) {
      throw stopped(RunStopped.Reason.DEADLINE, step);
    }
  }

  private RunStopped stopped(RunStopped.Reason reason, int step) {
    return new RunStopped(reason, step < 0 ? OptionalInt.empty() : OptionalInt.of(step),
      Duration.ofNanos(clock.getAsLong() - begun));
  }

  /** Takes the lock, at once if it is free; an interrupt is kept for later. */
  public void lock(Lock lock) {
    if (never) {
      lock.lock();
    } else {
      await(lock::tryLock);
    }
  }

  /** Something that may take a while, as {@link Lock#tryLock(long, TimeUnit)}. */
  private interface TimedAttempt {
    boolean within(long time, TimeUnit unit) throws InterruptedException;
  }

  private void await(TimedAttempt attempt) {
    boolean interrupted = false;
    try {
      boolean taken = false;
      while (!taken) {
        try {
          taken = attempt.within(patienceNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
        if (!taken) {
          checkWaiting();
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  /** Waits to be signalled, or for a while: the caller looks again either way. An interrupt is kept for later. */
  @SuppressWarnings("WaitNotInLoop")
  public void await(Condition condition) {
    if (never) {
      condition.awaitUninterruptibly();
      return;
    }
    checkWaiting();
    boolean interrupted = Thread.interrupted();
    try {
      if (condition.awaitNanos(patienceNanos()) <= 0) {
        checkWaiting();
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      restore(interrupted);
    }
  }

  /** Like {@link #await(Condition)}, and not longer than so many nanoseconds. */
  @SuppressWarnings("WaitNotInLoop")
  public void await(Condition condition, long nanos) {
    checkWaiting();
    boolean interrupted = Thread.interrupted();
    try {
      long _ = condition.awaitNanos(never ? nanos : Math.min(nanos, patienceNanos()));
      checkWaiting();
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      restore(interrupted);
    }
  }

  private long patienceNanos() {
    return Math.clamp(timeoutNanos - (clock.getAsLong() - begun), 1, PATIENCE_NANOS);
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
