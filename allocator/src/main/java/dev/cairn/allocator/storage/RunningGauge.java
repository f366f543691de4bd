package dev.cairn.allocator.storage;

import dev.cairn.allocator.Gauge;

/** A {@link Gauge} as it changes. Guarded by the allocator's lock. */
final class RunningGauge {
  private long current;
  private long peak;
  private long total;

  void add(long amount) {
    current += amount;
    total += amount;
    peak = Math.max(peak, current);
  }

  void remove(long amount) {
    current -= amount;
  }

  void clear() {
    peak = current;
    total = 0;
  }

  long current() {
    return current;
  }

  Gauge now() {
    return new Gauge(current, peak, total);
  }
}
