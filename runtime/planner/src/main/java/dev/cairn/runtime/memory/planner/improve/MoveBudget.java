package dev.cairn.runtime.memory.planner.improve;

import java.util.function.LongSupplier;

/**
 * The moves that a search may still make: moves, each one rectangle placed again, and time where the caller limits it.
 * Not for several threads.
 */
final class MoveBudget {
  private final LongSupplier nanoTime;
  private final long deadlineNanos;
  private final boolean timed;
  private long movesLeft;

  private MoveBudget(long moves, boolean timed, long timeoutNanos, LongSupplier nanoTime) {
    this.movesLeft = moves;
    this.timed = timed;
    this.nanoTime = nanoTime;
    this.deadlineNanos = timed ? nanoTime.getAsLong() + timeoutNanos : 0;
  }

  /** This many moves, in any time. */
  static MoveBudget ofMoves(long moves) {
    return new MoveBudget(moves, false, 0, System::nanoTime);
  }

  /** Both limits; the time counts from now. */
  static MoveBudget of(long moves, long timeoutNanos) {
    return of(moves, timeoutNanos, System::nanoTime);
  }

  /** Both limits, by another clock. */
  static MoveBudget of(long moves, long timeoutNanos, LongSupplier nanoTime) {
    return new MoveBudget(moves, true, timeoutNanos, nanoTime);
  }

  void move() {
    movesLeft--;
  }

  boolean isSpent() {
    return movesLeft <= 0 || timeIsUp();
  }

  boolean timeIsUp() {
    return timed && nanoTime.getAsLong() - deadlineNanos >= 0;
  }

  long movesLeft() {
    return movesLeft;
  }
}
