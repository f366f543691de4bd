package dev.cairn.runtime.memory.order;

import org.jspecify.annotations.Nullable;

/** How much searching may go on, counted and not timed, so that the same problem always gets the same answer. */
final class Work {
  private final @Nullable Work whole;
  private long left;

  Work(long units) {
    this(null, units);
  }

  private Work(@Nullable Work whole, long units) {
    this.whole = whole;
    this.left = units;
  }

  void spend(long units) {
    left -= units;
    if (whole != null) {
      whole.spend(units);
    }
  }

  boolean isSpent() {
    return left <= 0;
  }

  long left() {
    return Math.max(0, left);
  }

  /** At most so many units of this, for one attempt. */
  Work part(long units) {
    return new Work(this, Math.min(units, left()));
  }
}
