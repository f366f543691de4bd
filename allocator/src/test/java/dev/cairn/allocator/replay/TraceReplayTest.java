package dev.cairn.allocator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.RandomTrace;
import dev.cairn.allocator.trace.RmmCsv;
import dev.cairn.allocator.trace.TraceBuilder;
import dev.cairn.allocator.trace.TraceRecorder;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TraceReplayTest {
  private static final int GRANTS = 5_000;
  private static final AllocationTrace RANDOM = RandomTrace.of(1, GRANTS, 1L << 20, 1L << 28);

  @TempDir
  private Path folder;

  static List<ReplayPolicy> policies() {
    return ReplayPolicies.all();
  }

  private static ReplayPolicy policy(String name) {
    return ReplayPolicies.named(List.of(name)).getFirst();
  }

  /** Without the time, which differs. */
  private static ReplayResult timeless(ReplayResult result) {
    return new ReplayResult(result.policy(), result.limitBytes(), result.events(), result.peakLiveBytes(), result
      .peakReservedBytes(), result.fragmentation(), result.peakRegions(), result.refusals(), 0);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void everyPolicyServesARandomTraceAndIsRepeatable(ReplayPolicy policy) {
    long limit = policy.needsLimit() ? 1L << 30 : ReplayPolicy.NO_LIMIT;
    ReplayResult result = TraceReplay.run(RANDOM, policy, limit);
    assertThat(result.isServed()).isTrue();
    assertThat(result.policy()).isEqualTo(policy.name());
    assertThat(result.events()).isEqualTo(2 * GRANTS);
    assertThat(result.peakReservedBytes()).isGreaterThanOrEqualTo(result.peakLiveBytes());
    assertThat(result.reservedPerLive()).isBetween(1.0, 5.0);
    assertThat(result.fragmentation()).isBetween(0.0, 1.0);
    assertThat(result.peakRegions()).isPositive();
    assertThat(result.eventsPerSecond()).isPositive();
    assertThat(timeless(TraceReplay.run(RANDOM, policy, limit))).isEqualTo(timeless(result));
    assertThat(timeless(TraceReplay.fastest(RANDOM, policy, limit, 1, System::nanoTime))).isEqualTo(timeless(result));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void everyPolicySurvivesTheOddTraces(ReplayPolicy policy) {
    long limit = 1L << 40;
    TraceBuilder builder = new TraceBuilder();
    ReplayResult nothing = TraceReplay.run(builder.build(), policy, limit);
    assertThat(nothing.peakReservedBytes()).isZero();
    assertThat(nothing.reservedPerLive()).isEqualTo(1);
    builder.grant(1);
    builder.free(builder.heldFromStart(Long.MAX_VALUE - 1));
    builder.free(builder.grant(2));
    ReplayResult huge = TraceReplay.run(builder.build(), policy, limit);
    assertThat(huge.refusals()).as("only the huge one").isEqualTo(1);
    assertThat(huge.peakReservedBytes()).isBetween(512L, limit);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aLimitIsKeptAndWhatDoesNotFitIsCounted(ReplayPolicy policy) {
    long limit = RANDOM.peakLiveBytes() / 2;
    ReplayResult result = TraceReplay.run(RANDOM, policy, limit);
    assertThat(result.refusals()).isPositive();
    assertThat(result.isServed()).isFalse();
    assertThat(result.peakReservedBytes()).isBetween(limit / 2, limit);
    assertThat(TraceReplay.serves(RANDOM, policy, limit)).isFalse();
    ReplayResult none = TraceReplay.run(RANDOM, policy, 0);
    assertThat(none.refusals()).isEqualTo(GRANTS);
    assertThat(none.peakReservedBytes()).isZero();
  }

  @Test
  void wholePoolsNeedALimit() {
    assertThatThrownBy(() -> TraceReplay.run(RANDOM, policy("whole"), ReplayPolicy.NO_LIMIT)).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("policy=whole");
  }

  @Test
  void policiesAreFoundByNameAndNamesAreDistinct() {
    assertThat(ReplayPolicies.named(List.of())).isEqualTo(ReplayPolicies.all());
    assertThat(ReplayPolicies.named(List.of("whole", "doubling"))).extracting(ReplayPolicy::name).containsExactly(
      "whole", "doubling");
    assertThat(ReplayPolicies.all()).extracting(ReplayPolicy::name).doesNotHaveDuplicates().allMatch(it -> it.matches(
      "[a-z-]+"));
    assertThatThrownBy(() -> policy("best")).hasMessageContaining("given=best known=doubling,");
  }

  /** The same allocator, hidden, so that only the common face is to be seen. */
  private static Allocator hidden(Allocator allocator) {
    return (Allocator) Proxy.newProxyInstance(Allocator.class.getClassLoader(), new Class<?>[] {Allocator.class}, (_,
      method, arguments) -> {
      try {
        return method.invoke(allocator, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    });
  }

  @Test
  void bothFacesGiveTheSame() {
    for (long limit : new long[] {RANDOM.peakLiveBytes() / 3, ReplayPolicy.NO_LIMIT}) {
      ReplayPolicy fast = policy("doubling");
      ReplayPolicy slow = new ReplayPolicy("doubling", "", false, it -> hidden(fast.factory().over(it)));
      AllocationTrace trace = RandomTrace.of(4, 3_000, 1L << 20, 1L << 28);
      assertThat(timeless(TraceReplay.run(trace, slow, limit))).isEqualTo(timeless(TraceReplay.run(trace, fast,
        limit)));
    }
  }

  @Test
  void theFragmentationIsThatOfThePeak() {
    // At the peak 1 KiB of 2 MiB is free in one piece; later it lies in two.
    TraceBuilder builder = new TraceBuilder();
    int a = builder.grant(1024);
    int b = builder.grant((2L << 20) - 2048);
    builder.free(a);
    builder.free(b);
    ReplayResult result = TraceReplay.run(builder.build(), policy("doubling"), ReplayPolicy.NO_LIMIT);
    assertThat(result.fragmentation()).isZero();
    assertThat(result.peakReservedBytes()).isEqualTo(2L << 20);
  }

  @Test
  void aRecordedRunGivesTheSameFiguresAgain() throws IOException {
    Path file = folder.resolve("run.csv");
    for (int seed = 0; seed < 3; seed++) {
      AllocationTrace workload = RandomTrace.of(seed, 2_000, 1L << 22, 1L << 28);
      BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(seed == 0 ? 1L << 27 : 1L << 30);
      AllocatorStats recorded = statsOf(workload, options, file);
      AllocationTrace read = RmmCsv.read(file);
      AllocatorStats replayed = statsOf(read, options, folder.resolve("again.csv"));
      // Refusals are no part of a trace.
      assertThat(replayed.all()).isEqualTo(recorded.all());
      assertThat(replayed.pool()).isEqualTo(recorded.pool());
      assertThat(replayed.regions()).isEqualTo(recorded.regions());
      assertThat(replayed.largestBytes()).isEqualTo(recorded.largestBytes());
      assertThat(read).isEqualTo(RmmCsv.read(folder.resolve("again.csv")));
      ReplayResult result = TraceReplay.run(read, policy("doubling"), options.limitBytes());
      assertThat(result.peakReservedBytes()).isEqualTo(recorded.peakPoolBytes());
      assertThat(result.peakLiveBytes()).isEqualTo(recorded.all().requestedBytes().peak());
      assertThat(result.refusals()).isZero();
    }
  }

  private static AllocatorStats statsOf(AllocationTrace workload, BfcOptions options, Path log) throws IOException {
    try (TraceRecorder recorder = TraceRecorder.to(log);
      BfcAllocator allocator = new BfcAllocator(FakeSubAllocator.scattered(1L << 40), options, recorder)) {
      long[] handles = new long[workload.blockCount()];
      for (int event = 0; event < workload.eventCount(); event++) {
        int block = workload.block(event);
        if (workload.isGrant(event)) {
          handles[block] = allocator.tryGrant(workload.bytesOf(block));
        } else if (handles[block] != Block.NO_HANDLE) {
          allocator.release(handles[block]);
        }
      }
      return allocator.stats();
    }
  }
}
