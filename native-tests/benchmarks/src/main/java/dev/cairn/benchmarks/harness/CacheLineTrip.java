package dev.cairn.benchmarks.harness;

import java.util.concurrent.CountDownLatch;

/**
 * How long a cache line takes from one processor to another: two threads hand a number to and fro. Virtual processors
 * share a core for a while, lie side by side or far apart, and are moved while a benchmark runs: 14, 32 and 172 ns were
 * seen on one machine within a minute. What threads hand to each other takes as much longer then.
 */
public final class CacheLineTrip {
  private static final int HOPS = 1000;
  private static final int TIMED = 500;

  private volatile int hops;

  private CacheLineTrip() {}

  /** Nanoseconds one way, now; 0 on one processor. */
  public static double nanos() {
    return Runtime.getRuntime().availableProcessors() == 1 ? 0 : new CacheLineTrip().measured();
  }

  private double measured() {
    var ready = new CountDownLatch(1);
    Thread other = Thread.ofPlatform().daemon().start(() -> {
      ready.countDown();
      hop(1);
    });
    try {
      ready.await();
      long begin = hop(0);
      long end = System.nanoTime();
      other.join();
      return (end - begin) / (2.0 * TIMED);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Takes every second number; returns when those that count began. */
  private long hop(int first) {
    long begin = 0;
    for (int i = 0; i < HOPS; i++) {
      if (i == HOPS - TIMED) {
        begin = System.nanoTime();
      }
      int mine = 2 * i + first;
      while (hops != mine) {
        Thread.onSpinWait();
      }
      hops = mine + 1;
    }
    return begin;
  }
}
