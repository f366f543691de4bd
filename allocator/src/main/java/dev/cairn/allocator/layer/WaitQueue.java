package dev.cairn.allocator.layer;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Requests that wait, by arrival, and the threads that wait for them. Safe for use by many threads. */
final class WaitQueue {
  // Implementation note. Who comes with memory in hand serves the others: a thread that has freed something goes
  // through the queue and asks upstream on behalf of each request that may be served. No wake-up is lost, as in
  // Dekker's algorithm: a request is first counted in `waiting`, then tried; a free is first done, then looks at
  // `waiting`. The first in the queue also looks every now and then, for what nobody tells of.

  /** How often the first in the queue looks. */
  private static final long LOOK_NANOS = 50_000_000;

  private final Allocator upstream;
  private final long limitNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Waiter> waiters = new ArrayList<>();
  private final RetryTallies tallies = new RetryTallies();
  private final WaitScheduler scheduler;
  private volatile int waiting;

  /**
   * A queue with nobody in it.
   *
   * @param settled who holds the blocks that are taken to stay
   * @param recorder notes who holds what was granted
   */
  WaitQueue(Allocator upstream, RetryOptions options, Holder settled, WaitScheduler.GrantRecorder recorder) {
    this.upstream = upstream;
    this.limitNanos = nanos(options.timeLimit());
    DeadlockDetector detector = new DeadlockDetector(nanos(options.deadlockAfter()), tallies);
    this.scheduler = new WaitScheduler(upstream, waiters, options.overtakings(), detector, settled, recorder);
  }

  /** Whether anybody waits. A request that comes then must queue, a free must be told. */
  boolean isWaitedIn() {
    return waiting > 0;
  }

  /** Whether a request that was refused may wait. */
  boolean mayWait(AllocationRequest request) {
    return request.waits() && limitNanos > 0;
  }

  /** Serves those whom what has come free serves. */
  void serve() {
    if (isWaitedIn()) {
      lock.lock();
      try {
        scheduler.serveAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** As {@link #serve}, even if upstream looks as it did. */
  void serveAnew() {
    if (isWaitedIn()) {
      lock.lock();
      try {
        waiters.forEach(Waiter::forget);
        scheduler.serveAll();
      } finally {
        lock.unlock();
      }
    }
  }

  RetryStats stats() {
    lock.lock();
    try {
      return tallies.stats(waiters.size());
    } finally {
      lock.unlock();
    }
  }

  /** Waits in turn; for a request that upstream has just refused, or that came when others were waiting. */
  Block enter(AllocationRequest request, Layer.Way way, Holder holder) {
    Waiter waiter;
    lock.lock();
    try {
      // A request from within another's, by a callback of upstream's, can't wait for its own thread.
      boolean mayWait = mayWait(request) && !scheduler.areUnderWay()
        && request.bytes() <= upstream.stats().limitBytes();
      waiter = new Waiter(request, way, holder, mayWait, lock.newCondition());
      try {
        waiters.add(waiter);
        waiting = waiters.size();
        scheduler.serveAll();
        if (!waiter.isServed()) {
          stay(waiter);
        }
      } finally {
        leave(waiter);
      }
    } finally {
      lock.unlock();
    }
    return waiter.outcome(this::refusalNow);
  }

  private void stay(Waiter waiter) {
    if (!waiter.mayWait) {
      waiter.giveUp("not waited, waitersAhead=" + waiters.indexOf(waiter));
      return;
    }
    tallies.waited++;
    while (!waiter.isDone()) {
      long left = limitNanos - (System.nanoTime() - waiter.sinceNanos);
      if (left <= 0) {
        timeOut(waiter);
        return;
      }
      try {
        pause(waiter, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        interrupted(waiter);
        break;
      }
      if (!waiter.isDone()) {
        scheduler.serveAll();
      }
    }
    tallies.served += waiter.isServed() ? 1 : 0;
  }

  /** Sleeps until woken, or until it is time for another look. */
  @SuppressWarnings("WaitNotInLoop") // the caller loops
  private void pause(Waiter waiter, long mostNanos) throws InterruptedException {
    boolean first = waiters.getFirst() == waiter;
    waiter.done.awaitNanos(first ? Math.min(mostNanos, scheduler.nextLookNanos(LOOK_NANOS)) : mostNanos);
  }

  private void timeOut(Waiter waiter) {
    waiter.forget();
    scheduler.serveAll();
    if (!waiter.isDone()) {
      tallies.timedOut++;
      waiter.giveUp("waitedMillis=%d waitersAhead=%d".formatted(waiter.waitedMillis(), waiters.indexOf(waiter)));
    }
    tallies.served += waiter.isServed() ? 1 : 0;
  }

  private void interrupted(Waiter waiter) {
    if (!waiter.isDone()) {
      tallies.interrupted++;
      waiter.giveUp("interrupted, waitedMillis=" + waiter.waitedMillis());
    }
  }

  private void leave(Waiter waiter) {
    boolean first = !waiters.isEmpty() && waiters.getFirst() == waiter;
    waiters.remove(waiter);
    waiting = waiters.size();
    tallies.overtaken(waiter.overtaken);
    if (waiters.isEmpty()) {
      return;
    }
    if (first) {
      waiters.getFirst().done.signal();
    }
    if (!waiter.isServed()) {
      scheduler.serveAll(); // those whom it kept from passing
    }
  }

  /** For a request that upstream was not asked about, as its figures or those who wait forbade it. */
  private OutOfMemory refusalNow(AllocationRequest request) {
    long largest = Alignment.down(Long.MAX_VALUE, Alignment.CHUNK_BYTES);
    return new OutOfMemory(request, Alignment.up(Math.min(request.bytes(), largest), Alignment.CHUNK_BYTES),
      upstream.memoryMap());
  }

  private static long nanos(Duration duration) {
    return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? duration.toNanos() : Long.MAX_VALUE;
  }
}
