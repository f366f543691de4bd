package dev.cairn.allocator;

/** A mutable {@link Gauge}. Not thread-safe. */
public final class RunningGauge {
  private long current;
  private long peak;
  private long total;

  public void add(long amount) {
    current += amount;
    total += amount;
    peak = Math.max(peak, current);
  }

  public void subtract(long amount) {
    current -= amount;
  }

  /** Resets total and peak to the current value. */
  public void clear() {
    peak = current;
    total = 0;
  }

  /** Sets the current value; an increase adds to the total. */
  public void set(long amount) {
    total += Math.max(0, amount - current);
    current = amount;
    peak = Math.max(peak, amount);
  }

  public long current() {
    return current;
  }

  public long peak() {
    return peak;
  }

  /** The current values. */
  public Gauge gauge() {
    return new Gauge(current, peak, total);
  }
}
