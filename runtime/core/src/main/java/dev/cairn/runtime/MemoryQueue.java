package dev.cairn.runtime;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.executor.RunLimit;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where runs wait for memory: the one place of all sessions that share a {@link MemoryBudget}. A run that finds no
 * memory makes room, and waits while other runs are under way. Waiting runs are served one at a time, in the order in
 * which they came, and later runs queue behind them: so a large run is not starved by small ones. Thread-safe.
 *
 * <p>A run is under way from before it asks for memory until it has ended. A thread that waits here may have a run
 * under way: a run may begin another one in an observer. When every thread with a run under way waits, no memory can
 * come free, and the first in the queue is refused.
 */
final class MemoryQueue {
  private final FairPermits turn = new FairPermits(1);
  private final Lock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  /** How many runs each thread has under way. */
  private final Map<Thread, Integer> underWay = new HashMap<>();
  /** How many things each thread waits for, one inside the other. */
  private final Map<Thread, Integer> waiting = new HashMap<>();
  /** The waiting thread whose turn it is. */
  private volatile @Nullable Thread first;
  /** Counts the ends of runs, attempts and results of other threads than the first. */
  private long releases;

  /**
   * One request for memory.
   *
   * @param work asks for the memory; throws {@link OutOfMemory}, and holds nothing then, when there is too little
   * @param makeRoom give memory back that no run uses now; tried one after the other, until the work succeeds
   * @param patience how long to wait, once no run is under way, for results that other threads may close
   * @param limit when the run is given up
   */
  record Request<T>(Supplier<T> work, List<Room> makeRoom, Duration patience, RunLimit limit) {}

  /** A way to make room for a request that was refused. */
  @FunctionalInterface
  interface Room {
    /** Gives memory back that no run uses now; false when that can't help here, and nothing was given back. */
    boolean make(OutOfMemory refusal);
  }

  /**
   * Does something that needs memory, perhaps after waiting. The caller is then under way until {@link #end}, which the
   * same thread calls.
   *
   * @throws OutOfMemory when there is too little and no other run is under way; the caller is not under way then
   * @throws dev.cairn.runtime.executor.RunStopped when the limit is reached before; nor is it then
   */
  <T> T begin(Request<T> request) {
    if (mayTryAtOnce()) {
      try {
        return attempt(request.work);
      } catch (OutOfMemory e) {
        // Waits below.
      }
    }
    startWaiting();
    boolean hasTurn = false;
    try {
      if (!isFirst()) {
        turn.acquire(request.limit);
        hasTurn = true;
      }
      return waitForRoom(request);
    } finally {
      // Before the next in the queue looks which threads are under way and do not wait.
      stopWaiting();
      if (hasTurn) {
        turn.release();
      }
    }
  }

  /**
   * Waits for something else that a run needs, and that a run which waits for memory may hold: a lock or a permit. The
   * queue must know, or two runs could wait for each other.
   */
  void await(Runnable acquire) {
    startWaiting();
    try {
      acquire.run();
    } finally {
      stopWaiting();
    }
  }

  /** Later runs do not overtake a waiting one, but for a run inside another: waiting runs may wait for that one. */
  private boolean mayTryAtOnce() {
    lock.lock();
    try {
      return waiting.isEmpty() || underWay.containsKey(Thread.currentThread());
    } finally {
      lock.unlock();
    }
  }

  private <T> T waitForRoom(Request<T> request) {
    long deadline = 0;
    while (true) {
      long known = releasesBefore();
      OutOfMemory refusal;
      try {
        return attempt(request.work);
      } catch (OutOfMemory e) {
        refusal = e;
      }
      for (Room room : request.makeRoom) {
        if (room.make(refusal)) {
          try {
            return attempt(request.work);
          } catch (OutOfMemory e) {
            refusal = e;
          }
        }
      }
      if (!awaitRelease(known, request.limit)) {
        long now = System.nanoTime();
        deadline = deadline == 0 ? now + Math.max(1, request.patience.toNanos()) : deadline;
        if (!awaitResults(known, deadline, request)) {
          throw request.patience.isZero() ? refusal : refusal.with("waited for open results: " + request.patience);
        }
      }
    }
  }

  /** Whatever the work throws, the attempt has ended then. */
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
    lock.lock();
    try {
      underWay.merge(Thread.currentThread(), 1, Integer::sum);
    } finally {
      lock.unlock();
    }
  }

  private void startWaiting() {
    lock.lock();
    try {
      waiting.merge(Thread.currentThread(), 1, Integer::sum);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void stopWaiting() {
    lock.lock();
    try {
      waiting.computeIfPresent(Thread.currentThread(), MemoryQueue::oneLess);
      if (isFirst() && !waiting.containsKey(Thread.currentThread())) {
        first = null;
      }
    } finally {
      lock.unlock();
    }
  }

  private long releasesBefore() {
    lock.lock();
    try {
      first = Thread.currentThread();
      return releases;
    } finally {
      lock.unlock();
    }
  }

  /** True when memory was released after {@code known}, perhaps after waiting; false when no run can release any. */
  private boolean awaitRelease(long known, RunLimit limit) {
    lock.lock();
    try {
      while (releases <= known && !waiting.keySet().containsAll(underWay.keySet())) {
        limit.await(changed);
      }
      return releases > known;
    } finally {
      lock.unlock();
    }
  }

  /** The same, for results that other threads may close until the deadline. */
  private boolean awaitResults(long known, long deadline, Request<?> request) {
    lock.lock();
    try {
      long left;
      while (releases <= known && (left = deadline - System.nanoTime()) > 0 && !request.patience.isZero()) {
        request.limit.await(changed, left);
      }
      return releases > known;
    } finally {
      lock.unlock();
    }
  }

  /** What was begun has ended; its memory is free. */
  void end() {
    lock.lock();
    try {
      underWay.computeIfPresent(Thread.currentThread(), MemoryQueue::oneLess);
      noteRelease();
    } finally {
      lock.unlock();
    }
  }

  private static @Nullable Integer oneLess(Thread thread, int count) {
    return count == 1 ? null : count - 1;
  }

  /** How many threads wait now. */
  int waitingThreads() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Memory that is not a run's is free: a result was closed. */
  void released() {
    lock.lock();
    try {
      noteRelease();
    } finally {
      lock.unlock();
    }
  }

  /** Memory that the first thread gives back itself, while it tries, is no reason for it to try again. */
  private void noteRelease() {
    if (!isFirst()) {
      releases++;
      changed.signalAll();
    }
  }

  @SuppressWarnings("ReferenceEquality") // a thread is compared by identity
  private boolean isFirst() {
    return first == Thread.currentThread();
  }
}
