package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Gauge;

/** A {@link Gauge} that runs. Not safe for many threads. */
final class Tally {
  private long current;
  private long peak;
  private long total;

  void add(long amount) {
    current += amount;
    total += amount;
    if (current > peak) {
      peak = current;
    }
  }

  void remove(long amount) {
    current -= amount;
  }

  void set(long amount) {
    total += Math.max(0, amount - current);
    current = amount;
    peak = Math.max(peak, amount);
  }

  /** Totals and the peak begin anew, from what there is now. */
  void clear() {
    peak = current;
    total = 0;
  }

  long current() {
    return current;
  }

  long peak() {
    return peak;
  }

  Gauge gauge() {
    return new Gauge(current, peak, total);
  }
}
