package dev.cairn.allocator.bfc;

import java.util.concurrent.locks.ReentrantLock;

/** The one lock of an allocator. */
final class HeapLock {
  private final ReentrantLock lock = new ReentrantLock();

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }
}
