package dev.cairn.benchmarks.allocator;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What Java objects take. */
final class JavaHeap {
  /** More than a held chunk needs, with tables that are copied to grow and a test's own list of chunks. */
  static final long BYTES_A_CHUNK = 256;

  private JavaHeap() {}

  /** Bytes of all objects that are still needed. */
  static long usedBytes() {
    // The first collection may only find objects whose cleaners the second can then do without.
    System.gc();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /**
   * Bytes of all objects that the calling thread makes in a loop, once the JVM has compiled it: the most of several
   * times.
   */
  static long bytesMadeBy(Runnable loop, int warmups, int times) {
    if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)) {
      throw new IllegalStateException("this JVM does not count the bytes that threads allocate");
    }
    for (int i = 0; i < warmups; i++) {
      loop.run();
    }
    long most = 0;
    for (int i = 0; i < times; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      loop.run();
      most = Math.max(most, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return most;
  }
}
