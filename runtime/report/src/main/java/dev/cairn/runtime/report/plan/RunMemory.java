package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Lifetime;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The memory that one run held in the pools of its plan, as a {@link RunMemoryRecorder} recorded it. Nothing here comes
 * from the plan.
 *
 * @param values what was held, of all pools that the allocator granted
 * @param poolBytes by pool number, the bytes of the block that the allocator granted; 0 for a pool that the run did not
 *   use, or that lies in memory of another allocator
 * @param mostInUse the most bytes in use at one time while the run went on, in the whole allocator: weights, pools and
 *   results
 */
public record RunMemory(List<HeldValue> values, List<Long> poolBytes, long mostInUse) {
  public RunMemory {
    values = List.copyOf(values);
    poolBytes = List.copyOf(poolBytes);
  }

  /** The most bytes that were held at one time, and the first step at which they were. */
  public record Peak(long bytes, int step) {}

  public Peak peak() {
    long live = 0;
    var peak = new Peak(0, 0);
    for (var change : changes(values).entrySet()) {
      live += change.getValue();
      peak = live > peak.bytes ? new Peak(live, change.getKey()) : peak;
    }
    return peak;
  }

  /** For each step, how many bytes more are held than before. */
  static SortedMap<Integer, Long> changes(Collection<HeldValue> values) {
    SortedMap<Integer, Long> changes = new TreeMap<>();
    for (HeldValue it : values) {
      Lifetime life = it.life();
      changes.merge(life.first(), it.bytes(), Long::sum);
      changes.merge(life.end(), -it.bytes(), Long::sum);
    }
    return changes;
  }
}
