package dev.cairn.allocator.layer;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.SizeClass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait, by arrival. Safe for use by many threads. The rule of overtaking is told at
 * {@link RetryingAllocator}.
 */
final class WaitQueue {
  // Implementation note. Who comes with memory in hand serves the others: a thread that has freed something goes through
  // the queue and asks upstream on behalf of each request that the rule lets through. No wake-up is lost, as in Dekker's
  // algorithm: a request is first counted in `waiting`, then tried; a free is first done, then looks at `waiting`.
  // The first in the queue also looks every now and then, for what nobody tells of.
  //
  // Why nobody starves, if all who hold let go of it some time. The requests ahead of one are finitely many, so it is
  // the first some time. Overtaken as often as may be, it lets nobody pass, unless those who wait must be helped for
  // it to be served at all; and then only such as hold something. So the set of holders only shrinks, and is empty some
  // time, when the first has all there is.

  /** How often the first in the queue looks. */
  private static final long LOOK_NANOS = 50_000_000;

  private final Allocator upstream;
  private final Keeper keeper;
  private final Holder settled;
  private final int overtakings;
  private final long limitNanos;
  private final DeadlockWatch watch;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Waiter> waiters = new ArrayList<>();
  private final RetryTallies tallies = new RetryTallies();
  private volatile int waiting;
  private long looks;
  private boolean serving;
  private boolean again;

  /** Notes who holds a block that was granted; gives it back if that fails. */
  interface Keeper {
    void keep(Block block, Holder asker, Layer.Way way);
  }

  /**
   * A queue with nobody in it.
   *
   * @param keeper notes who holds what was granted
   * @param settled who holds the blocks that are taken to stay
   */
  WaitQueue(Allocator upstream, RetryOptions options, Holder settled, Keeper keeper) {
    this.upstream = upstream;
    this.keeper = keeper;
    this.settled = settled;
    this.overtakings = options.overtakings();
    this.limitNanos = nanos(options.timeLimit());
    this.watch = new DeadlockWatch(nanos(options.deadlockAfter()));
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
        serveAll();
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
        serveAll();
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
    lock.lock();
    Waiter waiter;
    try {
      // A request from within another's, by a callback of upstream's, can't wait for its own thread.
      boolean patient = mayWait(request) && !serving && request.bytes() <= upstream.stats().limitBytes();
      waiter = new Waiter(request, way, holder, patient, lock.newCondition());
      try {
        waiters.add(waiter);
        waiting = waiters.size();
        serveAll();
        boolean atOnce = waiter.isServed();
        stay(waiter);
        tallies.served += waiter.isServed() && !atOnce ? 1 : 0;
      } finally {
        leave(waiter);
      }
    } finally {
      lock.unlock();
    }
    return waiter.outcome(this::refusalNow);
  }

  private void stay(Waiter waiter) {
    if (waiter.isDone()) {
      return;
    }
    if (!waiter.patient) {
      waiter.giveUp("not waited, waitersAhead=" + waiters.indexOf(waiter));
      return;
    }
    tallies.waited++;
    while (!waiter.isDone()) {
      long left = limitNanos - (System.nanoTime() - waiter.sinceNanos);
      if (left <= 0) {
        endOfPatience(waiter);
        return;
      }
      try {
        pause(waiter, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        interrupted(waiter);
        return;
      }
      if (!waiter.isDone()) {
        serveAll();
      }
    }
  }

  /** Sleeps until woken, or until it is time for another look. */
  @SuppressWarnings("WaitNotInLoop") // the caller's loop
  private void pause(Waiter waiter, long mostNanos) throws InterruptedException {
    boolean first = waiters.getFirst() == waiter;
    waiter.done.awaitNanos(first ? Math.min(mostNanos, watch.nextLookNanos(LOOK_NANOS)) : mostNanos);
  }

  private void endOfPatience(Waiter waiter) {
    waiter.forget();
    serveAll();
    if (!waiter.isDone()) {
      tallies.timedOut++;
      waiter.giveUp("waitedMillis=%d waitersAhead=%d".formatted(waiter.waitedMillis(), waiters.indexOf(waiter)));
    }
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
      serveAll(); // those whom it kept from passing
    }
  }

  private void serveAll() {
    if (serving) {
      again = true;
      return;
    }
    serving = true;
    try {
      do {
        again = false;
        Standoff before = pass();
        boolean wasStuck = watch.isStuck();
        again |= watch.judge(before, look(upstream.stats()), tallies);
        if (watch.isStuck() && !wasStuck) {
          waiters.getFirst().done.signal(); // it looks sooner then
        }
      } while (again);
    } catch (RuntimeException | Error e) {
      // It isn't this thread's request that fails.
      waiters.stream().filter(waiter -> !waiter.isDone()).findFirst().ifPresent(waiter -> waiter.fail(e));
    } finally {
      serving = false;
    }
  }

  private Standoff look(AllocatorStats stats) {
    return new Standoff(waiters.stream().filter(waiter -> !waiter.isDone()).toList(), settled, stats, ++looks);
  }

  /** Tries each request once that the rule lets through; answers who stood where before. */
  private Standoff pass() {
    AllocatorStats stats = upstream.stats();
    Standoff standoff = look(stats);
    Standoff before = standoff;
    for (int i = 0; i < waiters.size(); i++) {
      Waiter waiter = waiters.get(i);
      if (!waiter.isDone() && mayPass(i, standoff) && tried(waiter, stats)) {
        for (Waiter ahead : waiters.subList(0, i)) {
          ahead.overtaken += ahead.isDone() ? 0 : 1;
        }
        standoff = look(stats);
      }
    }
    return before;
  }

  private boolean mayPass(int index, Standoff standoff) {
    Waiter waiter = waiters.get(index);
    boolean holds = waiter.holder.blocks() > 0;
    for (Waiter ahead : waiters.subList(0, index)) {
      if (ahead.isDone()) {
        continue;
      }
      boolean mayOvertake = ahead.overtaken < overtakings;
      boolean passes = standoff.blocks(ahead)
        ? mayOvertake || holds
        : mayOvertake && waiter.sizeClass < ahead.sizeClass;
      if (!passes) {
        return false;
      }
    }
    return true;
  }

  /** Asks upstream unless its answer is known; true if the request was served. */
  private boolean tried(Waiter waiter, AllocatorStats stats) {
    if (stats.limitBytes() - stats.bytesInUse() < waiter.request.bytes()) {
      waiter.refused(null, stats);
      return false;
    }
    if (waiter.wouldFailAgain(stats)) {
      return false;
    }
    try {
      Block block = waiter.way.from(upstream, waiter.request);
      keeper.keep(block, waiter.holder, waiter.way);
      waiter.serve(block);
      return true;
    } catch (OutOfMemory e) {
      waiter.refused(e, stats);
    } catch (RuntimeException | Error e) {
      waiter.fail(e);
    }
    return false;
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
