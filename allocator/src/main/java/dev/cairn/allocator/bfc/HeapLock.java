package dev.cairn.allocator.bfc;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The one lock of an allocator. The hot path locks and unlocks by hand; all else uses {@link #with}. */
final class HeapLock {
  private final ReentrantLock lock = new ReentrantLock();

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** The answer of {@code work}, done with the lock held. */
  <T> T with(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
