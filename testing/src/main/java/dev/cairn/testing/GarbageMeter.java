package dev.cairn.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Counts the bytes that work puts on the Java heap. The JVM also allocates on the thread: it loads classes in the
 * first rounds, and creates eliminated objects when it deoptimises code. The work allocates in each round, so the
 * least of many rounds is what the work allocates.
 *
 * <p>A test asserts a bound that holds for interpreted code, too: then neither the compiler nor the load of the machine
 * decides. Code that makes no objects meets a bound of zero from its second or third round on.
 */
public final class GarbageMeter {
  private static final int ROUNDS = 50;

  private GarbageMeter() {}

  /**
   * Does the work until a round has made nothing, but at most 50 times, on the calling thread.
   *
   * @param work the same operations in each round
   * @return bytes that the calling thread allocated in the round that made the least
   */
  public static long leastBytes(Runnable work) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least > 0; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      work.run();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}
