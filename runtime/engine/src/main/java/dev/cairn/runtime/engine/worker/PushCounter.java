package dev.cairn.runtime.engine.worker;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * How many pushes were made and have ended, and which threads wait for these to be the same. Pusher and worker count in
 * different places, so that they do not take a cache line from each other. To count asks for no memory. Thread-safe.
 */
public final class PushCounter {
  /** The fields behind keep the next counter off this one's cache line. */
  @SuppressWarnings("unused")
  private static final class Counter extends AtomicLong {
    private static final long serialVersionUID = 1;
    private transient long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
  }

  private final Counter begun = new Counter();
  private final Counter ended = new Counter();
  private volatile Thread[] waiters = {};

  /** An operation is pushed. */
  public void begin() {
    begun.getAndIncrement();
  }

  /** An operation has ended, or could not be pushed. */
  public void end() {
    ended.getAndIncrement();
    Thread[] waiting = waiters;
    if (waiting.length > 0 && isQuiet()) {
      for (Thread thread : waiting) {
        LockSupport.unpark(thread);
      }
    }
  }

  /**
   * Whether everything that was begun had ended at one moment of this call. Ended is read first: both only grow, and
   * begun is never less, so when they are the same, they were so in between.
   */
  public boolean isQuiet() {
    long out = ended.get();
    return begun.get() == out;
  }

  /** How many have not ended, more or less. */
  public long pending() {
    long out = ended.get();
    return begun.get() - out;
  }

  /** Returns true when all is quiet, false when the patience ends before. */
  public boolean awaitQuiet(SpinThenSleep patience) {
    if (isQuiet()) {
      return true;
    }
    Thread me = Thread.currentThread();
    synchronized (this) {
      waiters = Stream.concat(Stream.of(waiters), Stream.of(me)).toArray(Thread[]::new);
    }
    try {
      return patience.until(this::isQuiet);
    } finally {
      synchronized (this) {
        waiters = Stream.of(waiters).filter(it -> !it.equals(me)).toArray(Thread[]::new);
      }
    }
  }
}
