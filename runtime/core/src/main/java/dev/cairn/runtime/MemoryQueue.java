package dev.cairn.runtime;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.executor.RunLimit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Decides when a lack of memory is final. Runs of different input shapes have plans of their own and share one limit:
 * what one cannot have now may be free when another has ended. So who finds no memory makes room, and waits as long as
 * others are under way; one at a time, so that two do not take from each other what neither can use. Thread-safe.
 *
 * <p>What is under way is counted from before it asks for memory until it has ended: whoever sees nobody under way, and
 * still finds no memory, is not going to find any. Waiting for the turn is not being under way, so that nobody waits
 * for a waiter.
 */
final class MemoryQueue {
  private final Runnable makeRoom;
  private final Lock turn = new ReentrantLock(true);
  private final Lock counts = new ReentrantLock();
  private final Condition anEnd = counts.newCondition();
  private int underWay;
  private long ended;

  /** @param makeRoom gives back what nobody uses now */
  MemoryQueue(Runnable makeRoom) {
    this.makeRoom = makeRoom;
  }

  /**
   * Does something that needs memory, perhaps after waiting. The caller is then under way until {@link #end}.
   *
   * @throws OutOfMemory when there is too little although nobody else is under way; the caller is not under way then
   * @throws dev.cairn.runtime.executor.RunStopped when the limit is reached before; nor is it then
   */
  <T> T begin(Supplier<T> work, RunLimit limit) {
    try {
      return attempt(work);
    } catch (OutOfMemory e) {
      limit.lock(turn);
      try {
        return makingRoom(work, limit);
      } finally {
        turn.unlock();
      }
    }
  }

  private <T> T makingRoom(Supplier<T> work, RunLimit limit) {
    while (true) {
      long before = endedSoFar();
      makeRoom.run();
      try {
        return attempt(work);
      } catch (OutOfMemory e) {
        if (!awaitAnotherEnd(before + 1, limit)) {
          throw e;
        }
      }
    }
  }

  /** Whatever is thrown, the attempt has ended then. */
  private <T> T attempt(Supplier<T> work) {
    boolean began = false;
    enter();
    try {
      T result = work.get();
      began = true;
      return result;
    } finally {
      if (!began) {
        end();
      }
    }
  }

  private void enter() {
    counts.lock();
    try {
      underWay++;
    } finally {
      counts.unlock();
    }
  }

  private long endedSoFar() {
    counts.lock();
    try {
      return ended;
    } finally {
      counts.unlock();
    }
  }

  /** True when more than {@code known} have ended, perhaps after waiting; false when there is nobody to wait for. */
  private boolean awaitAnotherEnd(long known, RunLimit limit) {
    counts.lock();
    try {
      while (ended <= known && underWay > 0) {
        limit.await(anEnd);
      }
      return ended > known;
    } finally {
      counts.unlock();
    }
  }

  /** What was begun has ended; its memory is free. */
  void end() {
    counts.lock();
    try {
      underWay--;
      ended++;
      anEnd.signalAll();
    } finally {
      counts.unlock();
    }
  }
}
