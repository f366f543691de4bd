package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.memory.PlanScore;

/** Judges, by the allocator's counters, whether a model takes the memory that its plan says, and none besides. */
final class PlannedMemory {
  /** The most of a plan that may be padding to alignments. */
  private static final double MOST_PADDING = 0.005;
  /** What the allocator rounds a block up to. */
  private static final long GRANULE = 256;

  private PlannedMemory() {}

  /**
   * Asserts that the most that was asked for is the plan, to the byte, that the device gave no more than what blocks
   * are rounded up to, and that no run asked for anything.
   *
   * @param weights when the weights were in place, and nothing else
   * @param ready when the executor was made
   * @param done after runs
   */
  static void assertAsPlanned(CompiledGraph compiled, AllocatorStats weights, AllocatorStats ready,
    AllocatorStats done) {
    long plannedBytes = compiled.plan().peakBytes();
    assertEquals(plannedBytes, done.all().requestedBytes().peak() - weights.requestedBytesInUse(), "high-water mark");
    long rounding = GRANULE * compiled.plan().pools().size();
    long heldBytes = done.peakPoolBytes() - weights.poolBytes();
    assertTrue(heldBytes <= plannedBytes + rounding, () -> "held=%d planned=%d".formatted(heldBytes, plannedBytes));
    assertEquals(ready.allocationCount(), done.allocationCount(), "allocations of a run");
    assertEquals(ready.bytesInUse(), done.bytesInUse(), "bytes in use after a run");
    assertEquals(ready.regions().total(), done.regions().total(), "regions taken by a run");
  }

  /** Asserts that hardly any of the plan is padding: for models, whose tensors are large. */
  static void assertLittlePadding(PlanScore score) {
    assertTrue(score.paddingBytes() <= MOST_PADDING * score.boundBytes(), score::toString);
  }

  /**
   * Asserts that a run of a session took memory for its results alone.
   *
   * @param before with the plan in place and no result open
   * @param during with one result open
   * @param after with it closed again
   */
  static void assertOnlyResults(int results, AllocatorStats before, AllocatorStats during, AllocatorStats after) {
    assertEquals(before.allocationCount() + results, during.allocationCount(), "allocations of a run");
    assertEquals(before.liveCount() + results, during.liveCount(), "blocks of a result");
    assertEquals(before.bytesInUse(), after.bytesInUse(), "bytes in use after a run");
    assertEquals(before.peakPoolBytes(), after.peakPoolBytes(), "the device's high-water mark after the first run");
  }
}
