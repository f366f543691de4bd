package dev.cairn.benchmarks.fragmentation;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.replay.ReplayPolicy;
import dev.cairn.allocator.replay.TraceReplay;
import dev.cairn.allocator.trace.AllocationTrace;

/**
 * How large one region must be to serve a whole trace, as a multiple of the most bytes that are live at one time.
 *
 * @param smallest the smallest that serves
 * @param sure the smallest that serves as all larger ones do: best fit is not monotone
 */
record FixedPool(double smallest, double sure) {
  /** Pools are tried in steps of this part of the peak, from the peak on. */
  static final int STEPS = 1024;
  private static final int MOST = 3;

  static FixedPool of(AllocationTrace trace, PoolPolicy policy) {
    long peak = trace.peakLiveBytes();
    ReplayPolicy replayed = policy.replayed(AllocationListener.silent());
    int smallest = -1;
    int sure = 0;
    for (int step = 0; step <= (MOST - 1) * STEPS; step++) {
      long bytes = Alignment.up(peak + peak * step / STEPS, Alignment.CHUNK_BYTES);
      if (!TraceReplay.run(trace, replayed, bytes).isServed()) {
        sure = step + 1;
      } else if (smallest < 0) {
        smallest = step;
      }
    }
    if (smallest < 0 || sure > (MOST - 1) * STEPS) {
      throw new IllegalStateException("no pool up to %d times the peak will do: policy=%s %s".formatted(MOST, policy
        .name(), trace));
    }
    return new FixedPool(1 + (double) smallest / STEPS, 1 + (double) sure / STEPS);
  }
}
