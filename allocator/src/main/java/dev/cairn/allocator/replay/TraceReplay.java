package dev.cairn.allocator.replay;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.trace.AllocationTrace;
import java.util.function.LongSupplier;

/**
 * Replays a trace over a policy, on the calling thread. A grant that isn't met is counted, its free passed over, and
 * the rest goes on. The same trace, policy and limit give the same figures, but for the time. Stateless.
 */
public final class TraceReplay {
  private TraceReplay() {}

  /**
   * Replays once.
   *
   * @param limitBytes the most that the pool may hold; {@link ReplayPolicy#NO_LIMIT} for any
   * @throws IllegalArgumentException when the policy needs a limit and there is none
   */
  public static ReplayResult run(AllocationTrace trace, ReplayPolicy policy, long limitBytes) {
    requireLimit(policy, limitBytes);
    try (Allocator allocator = policy.factory().over(limitBytes)) {
      ReplayFace face = ReplayFace.of(allocator, trace.blockCount());
      int peak = Math.min(trace.peakEvent() + 1, trace.eventCount());
      long start = System.nanoTime();
      long refusals = replay(trace, face, 0, peak);
      double fragmentation = allocator.stats().fragmentation();
      refusals += replay(trace, face, peak, trace.eventCount());
      long nanos = System.nanoTime() - start;
      AllocatorStats stats = allocator.stats();
      freeAll(trace, face);
      return new ReplayResult(policy.name(), limitBytes, trace.eventCount(), trace.peakLiveBytes(), stats
        .peakPoolBytes(), fragmentation, stats.regions().peak(), refusals, nanos);
    }
  }

  /**
   * Replays again and again until {@code leastNanos} have passed, at least once; answers the fastest. One pass over a
   * short trace is over before the compiler has seen it.
   *
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  public static ReplayResult fastest(AllocationTrace trace, ReplayPolicy policy, long limitBytes, long leastNanos,
    LongSupplier clock) {
    long start = clock.getAsLong();
    ReplayResult best = run(trace, policy, limitBytes);
    while (clock.getAsLong() - start < leastNanos) {
      ReplayResult again = run(trace, policy, limitBytes);
      best = again.nanos() < best.nanos() ? again : best;
    }
    return best;
  }

  /** Whether every grant of a trace is met under a limit; ends at the first that isn't. */
  static boolean serves(AllocationTrace trace, ReplayPolicy policy, long limitBytes) {
    requireLimit(policy, limitBytes);
    try (Allocator allocator = policy.factory().over(limitBytes)) {
      ReplayFace face = ReplayFace.of(allocator, trace.blockCount());
      boolean served = true;
      for (int event = 0; served && event < trace.eventCount(); event++) {
        if (trace.isGrant(event)) {
          served = face.grant(trace.block(event), trace.bytesOf(trace.block(event)));
        } else {
          face.free(trace.block(event));
        }
      }
      freeAll(trace, face);
      return served;
    }
  }

  /** How many grants from one event up to another were not met. */
  private static long replay(AllocationTrace trace, ReplayFace face, int from, int to) {
    long refusals = 0;
    for (int event = from; event < to; event++) {
      int block = trace.block(event);
      if (!trace.isGrant(event)) {
        face.free(block);
      } else if (!face.grant(block, trace.bytesOf(block))) {
        refusals++;
      }
    }
    return refusals;
  }

  private static void freeAll(AllocationTrace trace, ReplayFace face) {
    for (int block = 0; block < trace.blockCount(); block++) {
      face.free(block);
    }
  }

  private static void requireLimit(ReplayPolicy policy, long limitBytes) {
    if (policy.needsLimit() && limitBytes == ReplayPolicy.NO_LIMIT) {
      throw new IllegalArgumentException("policy takes its whole limit, and there is none: policy=" + policy.name());
    }
  }
}
