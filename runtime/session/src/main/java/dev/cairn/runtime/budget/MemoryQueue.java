package dev.cairn.runtime.budget;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.executor.RunLimit;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue in which the runs of all sessions of a {@link MemoryBudget} wait for memory. A run that finds too little
 * memory frees idle memory, then waits while other runs are under way. The queue serves waiting runs one at a time,
 * first come, first served. Later runs queue behind them, so small runs do not starve a large one. Thread-safe.
 *
 * <p>A run is under way from its request for memory until its end. A waiting thread may have a run under way itself,
 * because an observer may start another run. When every thread with a run under way waits, no run can free memory, and
 * the queue refuses its first request.
 *
 * <p>A run without a plan is one request from start to end. If it had to wait, later runs wait until it has ended.
 */
public final class MemoryQueue {
  private final FairPermits turn = new FairPermits(1);
  private final Lock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  /** How many runs each thread has under way. */
  private final Map<Thread, Integer> underWay = new HashMap<>();
  /** How many waits each thread is in, one inside the other: for memory, slots, plans and variables. */
  private final Map<Thread, Integer> waiting = new HashMap<>();
  /** How many requests wait for memory. */
  private int queued;
  /** The thread whose request is the first in the queue. */
  private volatile @Nullable Thread first;
  /** Counts the times that another thread than the first freed memory. */
  private long releases;
  private final LongSupplier clock;

  MemoryQueue() {
    this(System::nanoTime);
  }

  /** @param clock of the patience of requests, in nanoseconds */
  MemoryQueue(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * One request for memory.
   *
   * @param work takes the memory, or throws {@link OutOfMemory} and holds none
   * @param makeRoom ways to free idle memory; the queue tries one after the other, until the work succeeds
   * @param patience how long the request waits for other threads to close results, once no run is under way
   * @param limit when the run stops
   */
  public record Request<T>(Supplier<T> work, List<Room> makeRoom, Duration patience, RunLimit limit) {}

  /** A way to make room for a request that was refused. */
  @FunctionalInterface
  public interface Room {
    /** Frees idle memory. Returns false, and frees none, where that cannot help. */
    boolean make(OutOfMemory refusal);
  }

  /**
   * Does the work of a request, perhaps after waiting for memory. The caller's run is then under way, until the same
   * thread calls {@link #end}.
   *
   * @throws OutOfMemory when there is too little memory and no other run is under way; the caller's run is not under
   *   way then
   * @throws dev.cairn.runtime.executor.RunStopped when the run reaches its limit first; it is not under way then
   */
  public <T> T begin(Request<T> request) {
    if (mayTryAtOnce()) {
      try {
        return attempt(request.work);
      } catch (OutOfMemory e) {
        // Waits below.
      }
    }
    startWaiting(1);
    boolean hasTurn = false;
    try {
      if (!isFirst()) {
        turn.acquire(request.limit);
        hasTurn = true;
      }
      return waitForRoom(request);
    } finally {
      // This comes before the next request becomes the first one. The first request checks whether every thread with a
      // run under way waits.
      stopWaiting(1);
      if (hasTurn) {
        turn.release();
      }
    }
  }

  /**
   * Counts this thread as waiting for a lock or a permit, until {@link #endWait}, which must follow. The holder may be
   * a run that waits for memory; if the queue did not count this thread, two runs could wait for each other.
   */
  public void beginWait() {
    startWaiting(0);
  }

  /** Ends what {@link #beginWait} began, on the same thread. */
  public void endWait() {
    stopWaiting(0);
  }

  /** Takes a lock, without overtaking threads that wait for it. Counts this thread as waiting while it waits. */
  public void lock(Lock wanted, RunLimit limit) {
    if (takesAtOnce(wanted)) {
      return;
    }
    beginWait();
    try {
      limit.lock(wanted);
    } finally {
      endWait();
    }
  }

  private static boolean takesAtOnce(Lock wanted) {
    try {
      return wanted.tryLock(0, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Later runs do not overtake queued requests. A run inside another one does: the queued requests may wait for it. */
  private boolean mayTryAtOnce() {
    lock.lock();
    try {
      return queued == 0 || underWay.containsKey(Thread.currentThread());
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
        long now = clock.getAsLong();
        deadline = deadline == 0 ? now + Math.max(1, nanos(request.patience)) : deadline;
        if (!awaitResults(known, deadline, request)) {
          throw request.patience.isZero() ? refusal : refusal.with("waited for open results: " + request.patience);
        }
      }
    }
  }

  /** The nanoseconds of a duration, at most as many as a {@code long} counts: 292 years. */
  private static long nanos(Duration patience) {
    return TimeUnit.NANOSECONDS.convert(patience);
  }

  /** Does the work once; if it throws, the run is not under way. */
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

  private void startWaiting(int requests) {
    lock.lock();
    try {
      queued += requests;
      waiting.merge(Thread.currentThread(), 1, Integer::sum);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void stopWaiting(int requests) {
    lock.lock();
    try {
      queued -= requests;
      waiting.computeIfPresent(Thread.currentThread(), MemoryQueue::oneLess);
      if (isFirst() && !waiting.containsKey(Thread.currentThread())) {
        first = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes this thread the first, and returns the count of releases so far. */
  private long releasesBefore() {
    lock.lock();
    try {
      first = Thread.currentThread();
      return releases;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until another thread frees memory; returns false as soon as no run can. */
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

  /** Waits until another thread closes a result; returns false at the deadline. */
  private boolean awaitResults(long known, long deadline, Request<?> request) {
    lock.lock();
    try {
      long left;
      while (releases <= known && (left = deadline - clock.getAsLong()) > 0 && !request.patience.isZero()) {
        request.limit.await(changed, left);
      }
      return releases > known;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a run of this thread; its memory is free. */
  public void end() {
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

  /** Waits until so many threads wait, or more. For tests. */
  void awaitWaiting(int threads) {
    lock.lock();
    try {
      while (waiting.size() < threads) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
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

  /** Notifies the queue that memory is free without the end of a run: a result or a session was closed. */
  public void released() {
    lock.lock();
    try {
      noteRelease();
    } finally {
      lock.unlock();
    }
  }

  /** Memory that the first thread frees itself, while it tries, is no reason for it to try again. */
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
