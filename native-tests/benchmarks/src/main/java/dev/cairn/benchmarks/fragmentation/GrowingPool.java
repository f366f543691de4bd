package dev.cairn.benchmarks.fragmentation;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.replay.ReplayPolicy;
import dev.cairn.allocator.replay.ReplayResult;
import dev.cairn.allocator.replay.TraceReplay;
import dev.cairn.allocator.trace.AllocationTrace;

/**
 * What a pool without a limit took for a trace.
 *
 * @param reserved the most bytes reserved, as a multiple of the most live at one time
 * @param reservedAgain the same after {@link #ROUNDS} rounds of the trace in a row; nothing is live between them
 * @param regions how often the source was asked for a region in the first round
 */
record GrowingPool(double reserved, double reservedAgain, int regions) {
  /** As many steps of a training run, or inferences of one model. */
  static final int ROUNDS = 16;

  static GrowingPool of(AllocationTrace trace, PoolPolicy policy) {
    var counter = new RegionCounter();
    ReplayResult once = TraceReplay.run(trace, policy.replayed(counter), ReplayPolicy.NO_LIMIT);
    ReplayResult again = TraceReplay.run(TraceVariant.repeated(trace, ROUNDS), policy.replayed(AllocationListener
      .silent()), ReplayPolicy.NO_LIMIT);
    return new GrowingPool(once.reservedPerLive(), again.reservedPerLive(), counter.regions);
  }

  private static final class RegionCounter implements AllocationListener {
    private int regions;

    @Override
    public void regionAdded(long address, long bytes) {
      regions++;
    }
  }
}
