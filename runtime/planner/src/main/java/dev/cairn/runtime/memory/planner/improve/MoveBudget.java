package dev.cairn.runtime.memory.planner.improve;

/**
 * What a search may still spend: moves, each one rectangle placed again, and time where the caller limits it. Not for
 * several threads.
 */
final class MoveBudget {
  private final long deadlineNanos;
  private final boolean timed;
  private long movesLeft;

  private MoveBudget(long moves, boolean timed, long deadlineNanos) {
    this.movesLeft = moves;
    this.timed = timed;
    this.deadlineNanos = deadlineNanos;
  }

  /** So many moves, in whatever time. */
  static MoveBudget ofMoves(long moves) {
    return new MoveBudget(moves, false, 0);
  }

  /** Both limits; the time counts from now. */
  static MoveBudget of(long moves, long timeoutNanos) {
    return new MoveBudget(moves, true, System.nanoTime() + timeoutNanos);
  }

  void move() {
    movesLeft--;
  }

  boolean isSpent() {
    return movesLeft <= 0 || timeIsUp();
  }

  boolean timeIsUp() {
    return timed && System.nanoTime() - deadlineNanos >= 0;
  }

  long movesLeft() {
    return movesLeft;
  }
}
