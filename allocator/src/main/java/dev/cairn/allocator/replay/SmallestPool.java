package dev.cairn.allocator.replay;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.trace.AllocationTrace;
import java.util.OptionalLong;

/**
 * Looks for the least limit under which a policy serves a whole trace. Stateless.
 *
 * <p>By bisection between a limit that is refused and one that serves, until they are within 1/8,192 of the peak or 256
 * bytes. Best fit is not monotone: a limit still lower may serve by luck, and one a little higher fail. The answer is
 * one that was tried and served.
 */
public final class SmallestPool {
  private static final long PRECISION = 8192;
  private static final long MAXIMUM_BYTES = 1L << 61;

  private SmallestPool() {}

  /** The limit in bytes, a multiple of 256; nothing when even 2^61 bytes don't do. */
  public static OptionalLong find(AllocationTrace trace, ReplayPolicy policy) {
    if (trace.peakLiveBytes() > MAXIMUM_BYTES / 2) {
      return OptionalLong.empty();
    }
    long bound = Alignment.up(trace.peakLiveBytes(), Alignment.CHUNK_BYTES);
    if (TraceReplay.serves(trace, policy, bound)) {
      return OptionalLong.of(bound);
    }
    long refused = bound;
    long step = Math.max(Alignment.CHUNK_BYTES, Alignment.down(bound / 16, Alignment.CHUNK_BYTES));
    long served = bound + step;
    while (!TraceReplay.serves(trace, policy, served)) {
      refused = served;
      step *= 2;
      served += step;
      if (served > MAXIMUM_BYTES) {
        return OptionalLong.empty();
      }
    }
    return OptionalLong.of(bisect(trace, policy, refused, served));
  }

  private static long bisect(AllocationTrace trace, ReplayPolicy policy, long refusedBytes, long servedBytes) {
    long precision = Math.max(Alignment.CHUNK_BYTES, trace.peakLiveBytes() / PRECISION);
    long refused = refusedBytes;
    long served = servedBytes;
    while (served - refused > precision) {
      long middle = Alignment.up(refused + (served - refused) / 2, Alignment.CHUNK_BYTES);
      if (middle == served) {
        return served;
      }
      if (TraceReplay.serves(trace, policy, middle)) {
        served = middle;
      } else {
        refused = middle;
      }
    }
    return served;
  }
}
