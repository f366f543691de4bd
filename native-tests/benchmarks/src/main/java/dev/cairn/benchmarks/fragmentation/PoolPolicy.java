package dev.cairn.benchmarks.fragmentation;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.replay.ReplayPolicy;
import dev.cairn.allocator.source.FakeSubAllocator;

/**
 * Options of the allocator, under a name.
 *
 * @param adjoining whether the source's regions adjoin and merge, as in a range of virtual addresses
 */
record PoolPolicy(String name, BfcOptions options, boolean adjoining) {

  /** To replay a trace with; the listener is told of the regions. */
  ReplayPolicy replayed(AllocationListener listener) {
    boolean whole = options.growth() == BfcOptions.Growth.WHOLE;
    return new ReplayPolicy(name, name, whole, limitBytes -> new BfcAllocator(adjoining
      ? FakeSubAllocator.contiguous(limitBytes)
      : FakeSubAllocator.scattered(limitBytes), options.withLimitBytes(limitBytes), listener));
  }
}
