package dev.cairn.runtime.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do one thing again and again, and time it. The same threads warm up and measure. Not thread-safe; owns
 * its threads.
 */
final class BenchLoad implements AutoCloseable {
  private final Runnable work;
  private final int concurrency;
  private final boolean keepsAll;
  private final LongSupplier clock;
  private final ExecutorService threads;

  /**
   * @param concurrency how many threads, at least 1
   * @param keepsAll whether every time is kept, not only its place in the histogram
   * @param clock nanoseconds, read by all threads
   */
  BenchLoad(Runnable work, int concurrency, boolean keepsAll, LongSupplier clock) {
    this.work = work;
    this.concurrency = concurrency;
    this.keepsAll = keepsAll;
    this.clock = clock;
    this.threads = Executors.newFixedThreadPool(concurrency, Thread.ofPlatform().daemon().name("bench-", 0).factory());
  }

  /**
   * Does the work so many times, all threads together, and goes on until the duration is over. What the work throws
   * ends all threads, and is thrown.
   */
  BenchTimes run(int times, long durationNanos, Progress.Ticks ticks) {
    var phase = new Phase(times, durationNanos, ticks);
    List<Future<BenchTimes.OfThread>> running = new ArrayList<>();
    try {
      for (int thread = 0; thread < concurrency; thread++) {
        int number = thread;
        running.add(threads.submit(() -> phase.run(number)));
      }
      phase.start();
      List<BenchTimes.OfThread> done = new ArrayList<>();
      for (Future<BenchTimes.OfThread> one : running) {
        done.add(one.get());
      }
      return BenchTimes.of(done);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the model was timed", e);
    } catch (ExecutionException e) {
      throw thrown(e.getCause());
    } finally {
      phase.stop();
    }
  }

  private static RuntimeException thrown(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
  }

  /** One part of the work, which all threads begin together. */
  private final class Phase {
    private final int times;
    private final long durationNanos;
    private final Progress.Ticks ticks;
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicInteger begun = new AtomicInteger();
    private volatile long deadline;

    Phase(int times, long durationNanos, Progress.Ticks ticks) {
      this.times = times;
      this.durationNanos = durationNanos;
      this.ticks = ticks;
    }

    void start() {
      deadline = clock.getAsLong() + durationNanos;
      started.countDown();
    }

    /** Threads end with the work that they are at, or before the first one. */
    void stop() {
      stopped.set(true);
      started.countDown();
    }

    BenchTimes.OfThread run(int thread) throws InterruptedException {
      started.await();
      var mine = new BenchTimes.OfThread(thread, keepsAll);
      try {
        while (!stopped.get() && goesOn()) {
          long began = clock.getAsLong();
          work.run();
          mine.add(began, clock.getAsLong() - began);
          ticks.tick();
        }
        return mine;
      } catch (RuntimeException | Error e) {
        stop();
        throw e;
      }
    }

    private boolean goesOn() {
      // The count stops at the wanted number; otherwise a long duration of short runs could overflow it.
      boolean wanted = begun.get() < times && begun.getAndIncrement() < times;
      return wanted || (durationNanos > 0 && clock.getAsLong() - deadline < 0);
    }
  }

  @Override
  public void close() {
    threads.close();
  }
}
