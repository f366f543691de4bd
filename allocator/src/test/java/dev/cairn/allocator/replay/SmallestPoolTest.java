package dev.cairn.allocator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.RandomTrace;
import dev.cairn.allocator.trace.TraceBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SmallestPoolTest {
  private static final ReplayPolicy WHOLE = ReplayPolicies.named(List.of("whole")).getFirst();

  static List<ReplayPolicy> policies() {
    return ReplayPolicies.all();
  }

  @ParameterizedTest
  @MethodSource("policies")
  void theAnswerServesAndIsNotBelowTheBound(ReplayPolicy policy) {
    for (int seed = 0; seed < 10; seed++) {
      AllocationTrace trace = RandomTrace.of(seed, 500, 1L << 20, 1L << 24);
      long bytes = SmallestPool.find(trace, policy).orElseThrow();
      assertThat(bytes).isGreaterThanOrEqualTo(trace.peakLiveBytes()).isLessThan(4 * trace.peakLiveBytes());
      assertThat(bytes % 256).isZero();
      assertThat(TraceReplay.serves(trace, policy, bytes)).isTrue();
    }
  }

  @Test
  void aStackNeedsItsPeakAndNoByteMore() {
    TraceBuilder builder = new TraceBuilder();
    int[] blocks = new int[100];
    for (int i = 0; i < 100; i++) {
      blocks[i] = builder.grant(256L * (1 + i % 7));
    }
    for (int i = 99; i >= 0; i--) {
      builder.free(blocks[i]);
    }
    AllocationTrace trace = builder.build();
    ReplayPolicy exact = ReplayPolicies.named(List.of("whole-exact")).getFirst();
    assertThat(SmallestPool.find(trace, exact)).hasValue(trace.peakLiveBytes());
    assertThat(SmallestPool.find(trace, WHOLE).orElseThrow()).as("the last ones are handed out with slack")
      .isBetween(trace.peakLiveBytes() + 1, trace.peakLiveBytes() + 2048);
  }

  @Test
  void roundingIsFoundToTheLastChunk() {
    TraceBuilder builder = new TraceBuilder();
    for (int i = 0; i < 33; i++) {
      builder.grant(1);
    }
    assertThat(SmallestPool.find(builder.build(), WHOLE)).hasValue(33 * 256);
  }

  @Test
  void aHardCaseIsExact() {
    // Two small blocks lie in the middle, so that the last block needs room behind them.
    TraceBuilder builder = new TraceBuilder();
    int a = builder.grant(1024);
    builder.grant(256);
    int b = builder.grant(1024);
    builder.grant(256);
    builder.free(a);
    builder.free(b);
    builder.grant(1280);
    assertThat(SmallestPool.find(builder.build(), WHOLE)).hasValue(2560 + 1280);
  }

  @Test
  void nothingNeedsNothingAndWhatIsBeyondAllMeasureHasNoPool() {
    TraceBuilder builder = new TraceBuilder();
    assertThat(SmallestPool.find(builder.build(), WHOLE)).hasValue(0);
    builder.grant(1L << 61);
    assertThat(SmallestPool.find(builder.build(), WHOLE)).isEmpty();
  }
}
