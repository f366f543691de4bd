package dev.cairn.allocator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AllocationTraceTest {
  private final TraceBuilder builder = new TraceBuilder();

  @Test
  void theEmptyTraceHasNoPeak() {
    AllocationTrace trace = builder.build();
    assertThat(trace.eventCount()).isZero();
    assertThat(trace.blockCount()).isZero();
    assertThat(trace.peakLiveBytes()).isZero();
    assertThat(trace.notes()).isEqualTo(TraceNotes.NONE);
    assertThat(trace.scaled(7)).isEqualTo(trace);
  }

  @Test
  void knowsPeakOrderAndWhatIsNeverFreed() {
    int a = builder.grant(10);
    int b = builder.grant(20);
    builder.free(a);
    int c = builder.grant(10);
    builder.free(b);
    AllocationTrace trace = builder.build();
    assertThat(trace.peakLiveBytes()).isEqualTo(30);
    assertThat(trace.peakEvent()).as("the first of two").isEqualTo(1);
    assertThat(trace.neverFreed()).isEqualTo(1);
    assertThat(trace.eventCount()).isEqualTo(5);
    assertThat(new int[] {trace.block(0), trace.block(1), trace.block(2), trace.block(3), trace.block(4)})
      .containsExactly(a, b, a, c, b);
    assertThat(trace.isGrant(3)).isTrue();
    assertThat(trace.isGrant(4)).isFalse();
  }

  @Test
  void whatWasHeldBeforeComesFirst() {
    int a = builder.grant(10);
    builder.free(builder.heldFromStart(100));
    builder.heldFromStart(1000);
    AllocationTrace trace = builder.build();
    assertThat(trace.block(2)).isEqualTo(a);
    assertThat(trace.bytesOf(trace.block(0))).isEqualTo(100);
    assertThat(trace.peakLiveBytes()).isEqualTo(1110);
    assertThat(trace.neverFreed()).isEqualTo(2);
    assertThat(trace.notes().heldFromStart()).isEqualTo(2);
  }

  @Test
  void refusesWhatCanNotBe() {
    assertThatThrownBy(() -> builder.grant(0)).hasMessageContaining("bytes=0");
    assertThatThrownBy(() -> builder.grant(-1)).hasMessageContaining("bytes=-1");
    assertThatThrownBy(() -> builder.heldFromStart(Long.MIN_VALUE)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.free(0)).hasMessageContaining("not live");
    assertThatThrownBy(() -> builder.free(-1)).hasMessageContaining("not live");
    int block = builder.grant(1);
    builder.free(block);
    assertThatThrownBy(() -> builder.free(block)).hasMessageContaining("not live: block=0");
    builder.grant(Long.MAX_VALUE);
    builder.grant(1);
    assertThatThrownBy(builder::build).hasMessageContaining("more bytes live");
  }

  @Test
  void scalesSizesUntilTheyOverflow() {
    builder.grant(3);
    builder.free(builder.grant(4));
    AllocationTrace trace = builder.build();
    AllocationTrace scaled = trace.scaled(256);
    assertThat(scaled.bytesOf(1)).isEqualTo(1024);
    assertThat(scaled.peakLiveBytes()).isEqualTo(1792);
    assertThat(scaled.isGrant(2)).isFalse();
    assertThatThrownBy(() -> trace.scaled(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> trace.scaled(Long.MAX_VALUE / 3)).hasMessageContaining("too large to be scaled");
    assertThatThrownBy(() -> trace.scaled(Long.MAX_VALUE / 4)).as("together").hasMessageContaining("more bytes live");
  }

  @Test
  void randomTracesAreTheSeedsAndKeepToTheirCap() {
    AllocationTrace trace = RandomTrace.of(1, 10_000, 1L << 20, 1L << 26);
    assertThat(trace).isEqualTo(RandomTrace.of(1, 10_000, 1L << 20, 1L << 26)).hasSameHashCodeAs(RandomTrace.of(1,
      10_000, 1L << 20, 1L << 26));
    assertThat(trace).isNotEqualTo(RandomTrace.of(2, 10_000, 1L << 20, 1L << 26));
    assertThat(trace.eventCount()).isEqualTo(20_000);
    assertThat(trace.neverFreed()).isZero();
    assertThat(trace.peakLiveBytes()).isBetween(1L << 25, 1L << 26);
    assertThat(RandomTrace.of(1, 0, 1, 1).eventCount()).isZero();
    assertThat(RandomTrace.of(1, 100, 1, 1).peakLiveBytes()).as("one at a time").isEqualTo(1);
    assertThatThrownBy(() -> RandomTrace.of(1, -1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RandomTrace.of(1, 1, 2, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RandomTrace.of(1, 1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
  }
}
