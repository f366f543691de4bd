package dev.cairn.allocator;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A logical clock for free times and safe frontiers. Several allocators may share it with the code that tracks a
 * stream's progress. Thread-safe. The idea comes from XLA.
 */
public final class SharedCounter {
  private final AtomicLong time = new AtomicLong();

  /** The next time, from 1; later than all times before. */
  public long next() {
    return time.incrementAndGet();
  }

  /** The latest time; 0 before the first. */
  public long now() {
    return time.get();
  }
}
