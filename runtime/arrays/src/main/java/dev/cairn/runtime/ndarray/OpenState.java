package dev.cairn.runtime.ndarray;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** Whether a runtime is open. Work that uses memory outside the engine's order keeps it open. Thread-safe. */
final class OpenState {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile boolean closed;
  private volatile boolean ended;

  boolean isClosed() {
    return closed;
  }

  /** Whether the runtime is closed and all operations have ended. */
  boolean hasEnded() {
    return ended;
  }

  /** All operations have ended, and none can follow. */
  void end() {
    ended = true;
  }

  /** @throws IllegalStateException when the runtime is closed */
  void require(String operation) {
    if (closed) {
      throw Refusals.closedRuntime(operation, null);
    }
  }

  /**
   * Runs short work that takes or uses memory; the runtime closes after it.
   *
   * @throws IllegalStateException when the runtime is closed
   */
  <T> T during(String operation, Supplier<T> work) {
    lock.readLock().lock();
    try {
      require(operation);
      return work.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Refuses work from now on, and waits for work that has begun; false when that was done before. */
  boolean close() {
    lock.writeLock().lock();
    try {
      boolean first = !closed;
      closed = true;
      return first;
    } finally {
      lock.writeLock().unlock();
    }
  }
}
