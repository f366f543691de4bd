package dev.cairn.allocator.layer;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Fails a request when those who wait can't be helped, after that has stood for a while. The queue's lock guards it.
 * Of those who are stuck and hold something it takes the one that came last.
 */
final class DeadlockDetector {
  private static final int MOST_NAMED = 16;

  private final long graceNanos;
  private final RetryTallies tallies;
  private boolean stuck;
  private long sinceNanos;

  DeadlockDetector(long graceNanos, RetryTallies tallies) {
    this.graceNanos = graceNanos;
    this.tallies = tallies;
  }

  /** Whether some were found stuck when last looked. */
  boolean isStuck() {
    return stuck;
  }

  /** How long until the next look: {@code usualNanos}, or what is left of the grace. */
  long nextLookNanos(long usualNanos) {
    return stuck ? Math.clamp(graceNanos - (System.nanoTime() - sinceNanos), 1, usualNanos) : usualNanos;
  }

  /** Looks at those who wait, before and after each was tried; true if one was failed. */
  boolean judge(WaitSnapshot before, WaitSnapshot after) {
    List<Waiter> those = after.stuckSince(before);
    if (those.isEmpty()) {
      stuck = false;
      return false;
    }
    if (!stuck) {
      stuck = true;
      sinceNanos = System.nanoTime();
    }
    if (System.nanoTime() - sinceNanos < graceNanos) {
      return false;
    }
    Waiter victim = those.getLast();
    boolean held = false;
    for (Waiter waiter : those) {
      if (waiter.holder.blocks() > 0) {
        victim = waiter;
        held = true;
      }
    }
    tallies.deadlocks++;
    victim.giveUp((held ? "hold-and-wait deadlock: clients=" : "nobody holds what could come free: clients=")
      + names(those));
    stuck = false;
    return true;
  }

  private static String names(List<Waiter> waiters) {
    String named = waiters.stream().limit(MOST_NAMED).map(Waiter::toString).collect(Collectors.joining(", "));
    int more = waiters.size() - MOST_NAMED;
    return "[" + named + (more > 0 ? ", and %d more".formatted(more) : "") + "]";
  }
}
