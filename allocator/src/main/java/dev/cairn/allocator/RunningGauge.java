package dev.cairn.allocator;

/** A {@link Gauge} that runs, for whoever counts what is held. Not safe for many threads. */
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

  /** Total and peak begin anew, from what there is now. */
  public void clear() {
    peak = current;
    total = 0;
  }

  /** Current is this from now on; what it rose by counts as added. */
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

  /** The figures now. */
  public Gauge gauge() {
    return new Gauge(current, peak, total);
  }
}
