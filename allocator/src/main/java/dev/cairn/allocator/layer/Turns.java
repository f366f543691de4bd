package dev.cairn.allocator.layer;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import java.util.List;

/**
 * Whose turn it is among those who wait, by the rule that is told at {@link RetryingAllocator}. Used with the queue's
 * lock held.
 */
final class Turns {
  // Implementation note: why nobody starves, if all who hold let go of it some time. The requests ahead of one are
  // finitely many, so it is the first some time. Overtaken as often as may be, it lets nobody pass, unless those who
  // wait must be helped for it to be served at all; and then only such as hold something. So the set of holders only
  // shrinks, and is empty some time, when the first has all there is.

  /** Notes who holds a block that was granted; gives it back if that fails. */
  interface Keeper {
    void keep(Block block, Holder asker, Layer.Way way);
  }

  private final Allocator upstream;
  private final List<Waiter> waiters;
  private final int overtakings;
  private final DeadlockWatch watch;
  private final Holder settled;
  private final Keeper keeper;
  private long looks;
  private boolean underWay;
  private boolean again;

  Turns(Allocator upstream, List<Waiter> waiters, int overtakings, DeadlockWatch watch, Holder settled,
    Keeper keeper) {
    this.upstream = upstream;
    this.waiters = waiters;
    this.overtakings = overtakings;
    this.watch = watch;
    this.settled = settled;
    this.keeper = keeper;
  }

  /** Whether this is called from within itself, by a callback of upstream's. */
  boolean areUnderWay() {
    return underWay;
  }

  long nextLookNanos(long usualNanos) {
    return watch.nextLookNanos(usualNanos);
  }

  /** Serves all that can be, and looks for deadlocks. Throws nothing: it isn't this thread's request that fails. */
  void serveAll() {
    if (underWay) {
      again = true;
      return;
    }
    underWay = true;
    try {
      do {
        again = false;
        Standoff before = pass();
        boolean wasStuck = watch.isStuck();
        again |= watch.judge(before, look(upstream.stats()));
        if (watch.isStuck() && !wasStuck) {
          waiters.getFirst().done.signal(); // it looks sooner then
        }
      } while (again);
    } catch (RuntimeException | Error e) {
      waiters.stream().filter(waiter -> !waiter.isDone()).findFirst().ifPresent(waiter -> waiter.fail(e));
    } finally {
      underWay = false;
    }
  }

  private Standoff look(AllocatorStats stats) {
    return new Standoff(waiters.stream().filter(waiter -> !waiter.isDone()).toList(), settled, stats, ++looks);
  }

  /** Tries each request once that may be served; answers who stood where before. */
  private Standoff pass() {
    AllocatorStats stats = upstream.stats();
    Standoff before = look(stats);
    Standoff now = before;
    for (int i = 0; i < waiters.size(); i++) {
      Waiter waiter = waiters.get(i);
      if (!waiter.isDone() && mayPass(i, now) && isServed(waiter, stats)) {
        for (Waiter ahead : waiters.subList(0, i)) {
          ahead.overtaken += ahead.isDone() ? 0 : 1;
        }
        now = look(stats);
      }
    }
    return before;
  }

  private boolean mayPass(int index, Standoff standoff) {
    Waiter waiter = waiters.get(index);
    boolean holds = waiter.holder.blocks() > 0;
    for (Waiter ahead : waiters.subList(0, index)) {
      boolean mayOvertake = ahead.overtaken < overtakings;
      boolean passes = standoff.blocks(ahead)
        ? mayOvertake || holds
        : mayOvertake && waiter.sizeClass < ahead.sizeClass;
      if (!passes && !ahead.isDone()) {
        return false;
      }
    }
    return true;
  }

  /** Asks upstream, unless its answer is known. */
  private boolean isServed(Waiter waiter, AllocatorStats stats) {
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
}
