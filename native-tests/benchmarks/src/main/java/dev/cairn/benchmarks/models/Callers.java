package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Several threads that run one model at the same time. */
final class Callers {
  private static final int ROUNDS = 5;

  private Callers() {}

  /**
   * Nanoseconds for each run, all callers together: the time of a round by the number of its runs.
   *
   * @param seconds how long all rounds take, at least
   * @param least runs of each caller in a round
   */
  static Sample timed(EngineUnderTest engine, int callers, double seconds, int least) {
    try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
      List<Long> nanos = new ArrayList<>();
      for (int round = 0; round < ROUNDS + 1; round++) {
        long each = round(engine, threads, callers, seconds / ROUNDS, least);
        // The first one warms up.
        if (round > 0) {
          nanos.add(each);
        }
      }
      return Sample.of(nanos);
    }
  }

  private static long round(EngineUnderTest engine, ExecutorService threads, int callers, double seconds, int least) {
    var runs = new AtomicLong();
    long started = System.nanoTime();
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      all.add(threads.submit(() -> {
        for (int run = 0; run < least || System.nanoTime() - started < seconds * 1e9; run++) {
          runs.incrementAndGet();
          engine.run();
        }
        return null;
      }));
    }
    all.forEach(Callers::await);
    return (System.nanoTime() - started) / runs.get();
  }

  private static void await(Future<?> caller) {
    try {
      caller.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
