package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.OffsetAlignment;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.Pool;
import java.util.List;

/**
 * The pools of a plan laid end to end, in order, so that a plan of several pools has one range of addresses: for
 * pictures, and for formats that know one offset a buffer. Each pool begins at a multiple of its alignment.
 *
 * @param bases by pool index, where it begins
 * @param bytes the end of the last pool
 */
record PoolStack(List<Long> bases, long bytes) {
  PoolStack {
    bases = List.copyOf(bases);
  }

  /** @throws ArithmeticException when the sum is past 2^63 */
  static PoolStack of(MemoryPlan plan) {
    Long[] bases = new Long[plan.pools().size()];
    long top = 0;
    for (int i = 0; i < bases.length; i++) {
      Pool pool = plan.pools().get(i);
      bases[i] = Math.addExact(top, OffsetAlignment.up(top, pool.alignment()) - top);
      top = Math.addExact(bases[i], pool.bytes());
    }
    return new PoolStack(List.of(bases), top);
  }

  /** The place at which a buffer begins. */
  long address(Placement placement) {
    return bases.get(placement.pool()) + placement.offset();
  }
}
