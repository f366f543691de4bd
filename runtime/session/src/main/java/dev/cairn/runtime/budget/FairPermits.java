package dev.cairn.runtime.budget;

import dev.cairn.runtime.executor.RunLimit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Permits that waiting threads get in the order in which they came. Unlike {@link java.util.concurrent.Semaphore}, a
 * thread keeps its place while it looks whether its run was cancelled. Thread-safe.
 */
public final class FairPermits {
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Condition> line = new ArrayDeque<>();
  private int free;

  public FairPermits(int count) {
    this.free = count;
  }

  /** Takes a permit if one is free and no thread waits for it. */
  public boolean tryAcquire() {
    lock.lock();
    try {
      if (free == 0 || !line.isEmpty()) {
        return false;
      }
      free--;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a permit, perhaps after waiting.
   *
   * @throws dev.cairn.runtime.executor.RunStopped when the limit is reached before
   */
  @SuppressWarnings("ReferenceEquality") // a place in the line
  public void acquire(RunLimit limit) {
    lock.lock();
    try {
      Condition place = lock.newCondition();
      line.add(place);
      try {
        while (free == 0 || line.peek() != place) {
          limit.await(place);
        }
        free--;
      } finally {
        line.remove(place);
        signalFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  public void release() {
    lock.lock();
    try {
      free++;
      signalFirst();
    } finally {
      lock.unlock();
    }
  }

  private void signalFirst() {
    Condition first = line.peek();
    if (free > 0 && first != null) {
      first.signal();
    }
  }
}
