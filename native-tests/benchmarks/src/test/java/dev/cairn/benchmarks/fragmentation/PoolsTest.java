package dev.cairn.benchmarks.fragmentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.TraceBuilder;
import dev.cairn.benchmarks.harness.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolsTest {
  private static final long UNIT = 1 << 20;
  private static final PoolPolicy DEFAULT_FIXED = PoolPolicies.FIXED.getFirst();
  private static final PoolPolicy DEFAULT_GROWING = PoolPolicies.GROWING.getFirst();

  @Test
  void aTraceThatFitsNeedsItsPeakAndNoMore() {
    var trace = new TraceBuilder();
    int block = trace.grant(3 * UNIT);
    trace.free(block);
    assertEquals(new FixedPool(1, 1), FixedPool.of(trace.build(), DEFAULT_FIXED));
  }

  @Test
  void aBlockThatStaysInTheMiddleCostsAThird() {
    // Three units; the middle one stays, and two in one piece need a fourth. 1/3 is above 341 steps.
    FixedPool pool = FixedPool.of(holed(), DEFAULT_FIXED);
    assertEquals(new FixedPool(1 + 342.0 / FixedPool.STEPS, 1 + 342.0 / FixedPool.STEPS), pool);
  }

  @Test
  void aGrowingPoolCountsItsRegionsAndRounds() {
    var trace = new TraceBuilder();
    int first = trace.grant(2 * UNIT);
    int second = trace.grant(UNIT);
    trace.free(first);
    trace.free(second);
    // 2 MiB, then 4 MiB, for 3 MiB.
    assertEquals(new GrowingPool(2, 2, 2), GrowingPool.of(trace.build(), DEFAULT_GROWING));
  }

  @Test
  void whatIsJudgedIsInTheTables() {
    assertTrue(PoolPolicies.FIXED.contains(PoolPolicies.JUDGED_FIXED));
    assertTrue(PoolPolicies.GROWING.contains(PoolPolicies.JUDGED_GROWING));
    assertEquals(PoolPolicies.FIXED.size(), PoolPolicies.FIXED.stream().map(PoolPolicy::name).distinct().count());
    assertEquals(PoolPolicies.GROWING.size(), PoolPolicies.GROWING.stream().map(PoolPolicy::name).distinct().count());
  }

  @Test
  void tracesAreReadInOrderAndScaled(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("C.1048576.csv"), "id,lower,upper,size\n0,0,2,5\n1,1,3,7\n");
    Files.writeString(folder.resolve("A.1048576.csv"), "id,lower,upper,size\n0,0,1,1\n1,1,2,1\n");
    List<NamedTrace> traces = NamedTrace.read(folder);
    assertEquals(List.of("A", "C"), traces.stream().map(NamedTrace::name).toList());
    assertEquals(256, traces.get(0).trace().peakLiveBytes());
    assertEquals(12 * 256, traces.get(1).trace().peakLiveBytes());
  }

  @Test
  void withoutDataItSaysSo(@TempDir Path folder) {
    var none = assertThrows(IllegalArgumentException.class, () -> new FragmentationBenchmark().run(List.of(),
      new Places(folder, folder)));
    assertTrue(String.valueOf(none.getMessage()).startsWith("skipped: no data"), none::getMessage);
    assertThrows(IllegalArgumentException.class, () -> new FragmentationBenchmark().run(List.of("--fast"), new Places(
      folder, folder)));
  }

  private static AllocationTrace holed() {
    var trace = new TraceBuilder();
    int low = trace.grant(UNIT);
    int middle = trace.grant(UNIT);
    int high = trace.grant(UNIT);
    trace.free(low);
    trace.free(high);
    int wide = trace.grant(2 * UNIT);
    trace.free(wide);
    trace.free(middle);
    return trace.build();
  }
}
