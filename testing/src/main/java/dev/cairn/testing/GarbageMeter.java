package dev.cairn.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a piece of work puts on the Java heap. The JVM itself does so now and then, on the thread that happens to be
 * there: it links, loads classes, and gives objects that it had optimised away back when it drops compiled code. That
 * is in some rounds; what the work makes is in each, so the least of many rounds tells.
 */
public final class GarbageMeter {
  private static final int ROUNDS = 50;

  private GarbageMeter() {}

  /**
   * Does the work until a round has made nothing, but at most 50 times, on the calling thread.
   *
   * @param work some thousands of operations, so that they get compiled within a few rounds
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
