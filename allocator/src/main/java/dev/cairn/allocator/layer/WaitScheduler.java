package dev.cairn.allocator.layer;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import java.util.List;

/**
 * Decides which waiting request is served next, by the rule that {@link RetryingAllocator} states. Used with the
 * queue's lock held.
 */
final class WaitScheduler {
  // Implementation note: why nobody starves, if all who hold let go of it some time. The requests ahead of one are
  // finitely many, so it is the first some time. Overtaken as often as may be, it lets nobody pass, unless those who
  // wait must be helped for it to be served at all; and then only such as hold something. So the set of holders only
  // shrinks, and is empty some time, when the first has all there is.

  /** Notes who holds a block that was granted; gives it back if that fails. */
  interface GrantRecorder {
    void record(Block block, Holder asker, Layer.Way way);
  }

  private final Allocator upstream;
  private final List<Waiter> waiters;
  private final int overtakings;
  private final DeadlockDetector detector;
  private final Holder settled;
  private final GrantRecorder recorder;
  private long looks;
  private boolean underWay;
  private boolean again;

  WaitScheduler(Allocator upstream, List<Waiter> waiters, int overtakings, DeadlockDetector detector, Holder settled,
    GrantRecorder recorder) {
    this.upstream = upstream;
    this.waiters = waiters;
    this.overtakings = overtakings;
    this.detector = detector;
    this.settled = settled;
    this.recorder = recorder;
  }

  /** Whether this is called from within itself, by a callback of upstream's. */
  boolean areUnderWay() {
    return underWay;
  }

  long nextLookNanos(long usualNanos) {
    return detector.nextLookNanos(usualNanos);
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
        WaitSnapshot before = pass();
        boolean wasStuck = detector.isStuck();
        again |= detector.judge(before, look(upstream.stats()));
        if (detector.isStuck() && !wasStuck) {
          waiters.getFirst().done.signal(); // it looks sooner then
        }
      } while (again);
    } catch (RuntimeException | Error e) {
      waiters.stream().filter(waiter -> !waiter.isDone()).findFirst().ifPresent(waiter -> waiter.fail(e));
    } finally {
      underWay = false;
    }
  }

  private WaitSnapshot look(AllocatorStats stats) {
    return new WaitSnapshot(waiters.stream().filter(waiter -> !waiter.isDone()).toList(), settled, stats, ++looks);
  }

  /** Tries each request once that may be served; answers who stood where before. */
  private WaitSnapshot pass() {
    AllocatorStats stats = upstream.stats();
    WaitSnapshot before = look(stats);
    WaitSnapshot now = before;
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

  private boolean mayPass(int index, WaitSnapshot snapshot) {
    Waiter waiter = waiters.get(index);
    boolean holds = waiter.holder.blocks() > 0;
    for (Waiter ahead : waiters.subList(0, index)) {
      boolean mayOvertake = ahead.overtaken < overtakings;
      boolean passes = snapshot.blocks(ahead)
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
      recorder.record(block, waiter.holder, waiter.way);
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
