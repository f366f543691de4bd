package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocatorStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The requests that wait at one moment and what their clients hold: finds the requests that cannot be served even if
 * all others finish. Used with the queue's lock held.
 *
 * <p>What is counted can only be too little, never too much, as those who wait neither take nor free: so whoever is
 * found stuck is stuck.
 */
final class WaitSnapshot {
  // Implementation note. Two ways to know. By bytes: whoever doesn't wait may free all it holds; if even then the limit
  // has no room for a request, only those who wait could make some. Which of these can go on is found by the reduction
  // of Coffman, Elphick and Shoshani (1971) let the smallest request have its memory if it fits, add what
  // its holder has, and so on; who is left is stuck. By blocks: if all blocks that there are belong to those who wait,
  // nobody else can free anything, whatever the reason of the refusals.

  private final List<Waiter> waiters;
  private final long grants;
  private final boolean standstill;
  private final long reachableBytes;

  /**
   * Counts.
   *
   * @param waiters in the order of their arrival
   * @param settled who holds the blocks that are taken to stay
   * @param stats taken before
   * @param look a number not used before
   */
  WaitSnapshot(List<Waiter> waiters, Holder settled, AllocatorStats stats, long look) {
    this.waiters = waiters;
    this.grants = stats.allocationCount();
    long blocks = settled.blocks();
    long bytes = settled.bytes();
    for (Waiter waiter : waiters) {
      if (waiter.mayWait && !waiter.holder.isShared() && waiter.holder.countedIn != look) {
        waiter.holder.countedIn = look;
        blocks += waiter.holder.blocks();
        bytes += waiter.holder.bytes();
      }
    }
    this.standstill = blocks == stats.liveCount();
    this.reachableBytes = stats.limitBytes() - bytes;
  }

  /** Whether a request can't be met before another that waits is. */
  boolean blocks(Waiter waiter) {
    return standstill || waiter.request.bytes() > reachableBytes;
  }

  /**
   * Those who can't be helped, by arrival.
   *
   * @param before how it stood before each that may be served was tried; as nothing was granted since, none could be
   */
  List<Waiter> stuckSince(WaitSnapshot before) {
    boolean timeHelps = waiters.stream().anyMatch(Waiter::isTimeHeld);
    if (standstill && before.standstill && grants == before.grants && !timeHelps) {
      return waiters.stream().filter(waiter -> waiter.mayWait && waiter.wasRefusedAfter(grants)).toList();
    }
    return stuckByBytes();
  }

  /** Those for whom there will be too few bytes even if everyone else who can goes on to its end. */
  private List<Waiter> stuckByBytes() {
    List<Waiter> bySize = new ArrayList<>(waiters);
    bySize.removeIf(waiter -> !waiter.mayWait);
    bySize.sort(Comparator.comparingLong(waiter -> waiter.request.bytes()));
    long reachable = reachableBytes;
    Set<Holder> helped = new HashSet<>();
    int next = 0;
    while (next < bySize.size() && bySize.get(next).request.bytes() <= reachable) {
      Holder holder = bySize.get(next).holder;
      if (!holder.isShared() && helped.add(holder)) {
        reachable += holder.bytes();
      }
      next++;
    }
    Set<Waiter> stuck = new HashSet<>(bySize.subList(next, bySize.size()));
    return waiters.stream().filter(stuck::contains).toList();
  }
}
