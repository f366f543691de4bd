package dev.cairn.allocator;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The time that frees are stamped with and safe frontiers are told in: a count that several allocators and whoever
 * follows a stream's progress may share. Safe for use by many threads. The idea is XLA's.
 */
public final class SharedCounter {
  private final AtomicLong time = new AtomicLong();

  /** The next moment, from 1; later than all that were given. */
  public long next() {
    return time.incrementAndGet();
  }

  /** The moment given last; 0 before the first. */
  public long now() {
    return time.get();
  }
}
