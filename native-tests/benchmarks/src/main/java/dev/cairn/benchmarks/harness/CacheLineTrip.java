package dev.cairn.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;

/**
 * How long a cache line takes from one processor to another: two threads hand a number to and fro. Virtual processors
 * share a core for a while, lie side by side or far apart, and are moved while a benchmark runs: 14, 32 and 172 ns were
 * seen on one machine within a minute. What threads hand to each other takes longer in proportion.
 */
public final class CacheLineTrip {
  private static final int BURSTS = 9;
  /** There and back, in one burst. */
  private static final int TRIPS = 100;
  private static final int SPINS = 256;
  private static final long MOST_NANOS = 20_000_000;

  private final long end = System.nanoTime() + MOST_NANOS;
  private volatile int number;
  private volatile boolean over;

  private CacheLineTrip() {}

  /** Nanoseconds one way, now; infinite where the two don't get a processor each, and 0 where there is only one. */
  public static double nanos() {
    return Runtime.getRuntime().availableProcessors() == 1 ? 0 : new CacheLineTrip().measured();
  }

  private double measured() {
    Thread.ofPlatform().daemon().start(this::answer);
    List<Double> bursts = new ArrayList<>();
    while (bursts.size() < BURSTS && !over) {
      bursts.add(burst());
    }
    // The other thread ends when it next reads the value.
    over = true;
    return Sample.of(bursts).median();
  }

  private double burst() {
    long begin = System.nanoTime();
    for (int i = 0; i < TRIPS; i++) {
      int asked = number + 1;
      number = asked;
      for (int spins = 1; number == asked; spins++) {
        Thread.onSpinWait();
        if (spins % SPINS == 0 && System.nanoTime() - end > 0) {
          over = true;
          return Double.POSITIVE_INFINITY;
        }
      }
    }
    return (System.nanoTime() - begin) / (2.0 * TRIPS);
  }

  /** Makes each odd number even. */
  private void answer() {
    for (int asked = 1; !over; asked += 2) {
      while (number != asked && !over) {
        Thread.onSpinWait();
      }
      number = asked + 1;
    }
  }
}
