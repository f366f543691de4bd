package dev.cairn.benchmarks.harness;

import java.lang.management.ManagementFactory;

/** The bytes that all threads together allocate on the Java heap. */
public final class HeapBytes {
  private static final int WARMUPS = 20;
  private static final int TIMES = 5;

  private HeapBytes() {}

  /**
   * The least of several times, once everything is compiled: the JVM allocates for itself, too. The bytes that the
   * measurement allocates are taken off.
   */
  public static long madeBy(Runnable work) {
    return Math.max(0, least(work) - least(() -> {}));
  }

  private static long least(Runnable work) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < WARMUPS + TIMES; i++) {
      long before = soFar();
      work.run();
      long bytes = soFar() - before;
      if (i >= WARMUPS) {
        least = Math.min(least, bytes);
      }
    }
    return least;
  }

  private static long soFar() {
    if (ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads) {
      return threads.getTotalThreadAllocatedBytes();
    }
    throw new IllegalStateException("this JVM does not say what threads allocate");
  }
}
