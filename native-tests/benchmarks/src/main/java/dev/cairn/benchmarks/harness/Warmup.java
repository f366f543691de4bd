package dev.cairn.benchmarks.harness;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** Runs before the measured ones, for which the JVM compiles. */
public final class Warmup {
  /** The compilers rest when they take at most this of a second. */
  private static final long RESTING_MILLIS = 20;
  private static final int MOST_SECONDS = 12;

  private Warmup() {}

  /** The measured call. */
  @FunctionalInterface
  public interface Work<E extends Exception> {
    void run() throws E;
  }

  /** Works until the JVM's compilers have rested for a second, or for 12 seconds. */
  public static <E extends Exception> void untilCompiled(Work<E> work) throws E {
    untilCompiled(1, MOST_SECONDS, work);
  }

  /** Works until the JVM's compilers have rested for a span of time, or for so many spans. */
  public static <E extends Exception> void untilCompiled(double spanSeconds, int mostSpans, Work<E> work) throws E {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    for (int span = 0; span < mostSpans; span++) {
      long before = compilers.getTotalCompilationTime();
      long start = System.nanoTime();
      do {
        work.run();
      } while (System.nanoTime() - start < spanSeconds * 1e9);
      if (compilers.getTotalCompilationTime() - before <= RESTING_MILLIS * spanSeconds) {
        return;
      }
    }
  }
}
