package dev.cairn.allocator.layer;

import dev.cairn.allocator.Gauge;

/** A {@link Gauge} that runs. Not safe for many threads. */
final class RunningGauge {
  private long current;
  private long peak;
  private long total;

  void add(long amount) {
    current += amount;
    total += amount;
    peak = Math.max(peak, current);
  }

  void subtract(long amount) {
    current -= amount;
  }

  /** Takes in what came about since: as if all of it had been added here, one after the other. */
  void append(RunningGauge later) {
    peak = Math.max(peak, current + later.peak);
    current += later.current;
    total += later.total;
  }

  /** Total and peak begin anew, from what there is now. */
  void clear() {
    peak = current;
    total = 0;
  }

  long current() {
    return current;
  }

  Gauge gauge() {
    return new Gauge(current, peak, total);
  }
}
