package dev.cairn.runtime.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * How many pushes were made and have ended, and which threads wait for these to be the same. Pusher and worker count in
 * different places, so that they do not take a cache line from each other. Thread-safe.
 */
final class PushCounter {
  /** The fields behind keep the next counter off this one's cache line. */
  @SuppressWarnings("unused")
  private static final class Counter extends LongAdder {
    private static final long serialVersionUID = 1;
    private transient long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
  }

  private final Counter begun = new Counter();
  private final Counter ended = new Counter();
  private final Set<Thread> waiters = ConcurrentHashMap.newKeySet();
  private volatile boolean hasWaiters;

  void begin() {
    begun.increment();
  }

  void end() {
    ended.increment();
    if (hasWaiters && isQuiet()) {
      waiters.forEach(LockSupport::unpark);
    }
  }

  /**
   * Whether everything that was begun had ended at one moment of this call. Ended is read first: both only grow, and
   * begun is never less, so when they are the same, they were so in between.
   */
  boolean isQuiet() {
    long out = ended.sum();
    return begun.sum() == out;
  }

  /** How many have not ended, more or less. */
  long pending() {
    long out = ended.sum();
    return begun.sum() - out;
  }

  /** Returns true when all is quiet, false when the patience ends before. */
  boolean awaitQuiet(SpinThenSleep patience) {
    if (isQuiet()) {
      return true;
    }
    synchronized (waiters) {
      waiters.add(Thread.currentThread());
      hasWaiters = true;
    }
    try {
      return patience.until(this::isQuiet);
    } finally {
      synchronized (waiters) {
        waiters.remove(Thread.currentThread());
        hasWaiters = !waiters.isEmpty();
      }
    }
  }
}
