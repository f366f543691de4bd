package dev.cairn.runtime.memory.planner.inductor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.planner.inductor.LineBuffer.Layout;
import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LineReuseTest {
  @Test
  void anAllocationTakesWhatWasFreedOverAndTheFreeIsGone() {
    assertThat(new Lines().allocate("a", 8).kernel().free("a").allocate("b", 8).kernel().reused(ReuseRules.PLAIN))
      .isEqualTo("allocate a; k0; reuse a as b; k1");
  }

  @Test
  void theLastFreedIsTakenFirst() {
    assertThat(new Lines().allocate("a", 8).allocate("b", 8).kernel().free("a", "b").allocate("c", 8).kernel()
      .allocate("d", 8).kernel().reused(ReuseRules.PLAIN))
      .isEqualTo("allocate a; allocate b; k0; reuse b as c; k1; reuse a as d; k2");
  }

  @Test
  void trailingMemoryLinesGoUnlessTheirBufferIsAnOutput() {
    Lines lines = new Lines().allocate("a", 8).allocate("b", 8).kernel().free("a").allocate("c", 16).free("b");
    assertThat(lines.reused(ReuseRules.PLAIN)).isEqualTo("allocate a; allocate b; k0");
    assertThat(lines.output("c").reused(ReuseRules.PLAIN))
      .isEqualTo("allocate a; allocate b; k0; free a; allocate c");
  }

  @Test
  void aTrailingTakeoverIsJudgedByTheBufferItTakes() {
    Lines lines = new Lines().allocate("a", 8).kernel().reuse("a", "b");
    assertThat(lines.output("b").reused(ReuseRules.PLAIN)).isEqualTo("allocate a; k0");
    assertThat(lines.output("a").reused(ReuseRules.PLAIN)).isEqualTo("allocate a; k0; reuse a as b");
  }

  @Test
  void linesOfRemovedBuffersAreDropped() {
    assertThat(new Lines().allocate("a", 8).allocate("r", 8).kernel().free("r").reuse("a", "b").allocate("c", 8)
      .kernel().removed("r").reused(ReuseRules.PLAIN))
      .isEqualTo("allocate a; k0; reuse a as b; allocate c; k1");
    assertThat(new Lines().allocate("a", 8).kernel().reuse("a", "b").kernel().removed("a", "b")
      .reused(ReuseRules.PLAIN)).isEqualTo("k0; k1");
  }

  @Test
  void aliasesAndMultiOutputLayoutsAreNeverTaken() {
    for (Layout layout : Layout.values()) {
      String lines = new Lines().made("a", 8, buffer -> buffer.withLayout(layout)).kernel().free("a").allocate("b", 8)
        .kernel().reused(ReuseRules.PLAIN);
      assertThat(lines).isEqualTo(layout == Layout.OWN ? "k0; reuse a as b; k1" : "k0; free a; allocate b; k1");
    }
  }

  @Test
  void dtypeDeviceOrSizeDiffers() {
    assertThat(taken(UnaryOperator.identity(), 8, ReuseRules.PLAIN)).isTrue();
    assertThat(taken(UnaryOperator.identity(), 9, ReuseRules.PLAIN)).isFalse();
    assertThat(taken(buffer -> buffer.withDtype("int32"), 8, ReuseRules.PLAIN)).isFalse();
    assertThat(taken(buffer -> buffer.onDevice("gpu:1"), 8, ReuseRules.PLAIN)).isFalse();
  }

  @Test
  void alignmentAndStreamCountOnlyInTheNewerKey() {
    assertThat(taken(buffer -> buffer.withAlignment(64), 8, ReuseRules.PLAIN)).isTrue();
    assertThat(taken(buffer -> buffer.onStream(1), 8, ReuseRules.PLAIN)).isTrue();
    assertThat(taken(UnaryOperator.identity(), 8, ReuseRules.PEAK_TESTED)).isTrue();
    assertThat(taken(buffer -> buffer.withAlignment(64), 8, ReuseRules.PEAK_TESTED)).isFalse();
    assertThat(taken(buffer -> buffer.onStream(1), 8, ReuseRules.PEAK_TESTED)).isFalse();
  }

  private static boolean taken(UnaryOperator<LineBuffer> other, long bytes, ReuseRules rules) {
    return new Lines().allocate("a", 8).kernel().free("a").allocate("b", bytes, other).kernel().reused(rules)
      .contains("reuse a as b");
  }

  @Test
  void symbolicSizesWithEqualHintsDiffer() {
    SymbolicSize s0 = SymbolicSize.dimension("s0", 8);
    SymbolicSize s1 = SymbolicSize.dimension("s1", 8);
    assertThat(new Lines().allocate("a", s0).kernel().free("a").allocate("b", s1).kernel().allocate("c", s0).kernel()
      .reused(ReuseRules.PLAIN)).isEqualTo("allocate a; k0; allocate b; k1; reuse a as c; k2");
  }

  @Test
  void oneSizeWrittenInTwoWaysIsOneSize() {
    SymbolicSize s0 = SymbolicSize.dimension("s0", 8);
    SymbolicSize s1 = SymbolicSize.dimension("s1", 4);
    assertThat(new Lines().allocate("a", s0.times(s1).times(4)).kernel().free("a")
      .allocate("b", s1.times(2).times(s0.times(2))).kernel().reused(ReuseRules.PLAIN)).contains("reuse a as b");
  }

  @Test
  void eachSubgraphHasItsOwnState() {
    assertThat(new Lines().allocate("a", 8).kernel().free("a").enter().allocate("b", 8).kernel().free("b")
      .allocate("c", 8).kernel().free("c").exit().allocate("d", 8).kernel().reused(ReuseRules.PLAIN))
      .isEqualTo("allocate a; k0; enter g; allocate b; k1; reuse b as c; k2; free c; exit g; reuse a as d; k3");
  }

  /** 30 bytes at k1 are the peak; a's 10 would lie idle there. b's 10 lie idle at k3, beside nothing. */
  @Test
  void idleBytesMustNotRaiseThePeak() {
    Lines lines = new Lines().allocate("a", 10).kernel().free("a").allocate("big", 30).kernel().free("big")
      .allocate("b", 10).kernel().free("b").kernel().allocate("c", 10).kernel();
    assertThat(lines.reused(ReuseRules.PLAIN))
      .isEqualTo("allocate a; k0; allocate big; k1; free big; reuse a as b; k2; k3; reuse b as c; k4");
    assertThat(lines.reused(ReuseRules.PEAK_TESTED))
      .isEqualTo("allocate a; k0; free a; allocate big; k1; free big; allocate b; k2; k3; reuse b as c; k4");
  }

  @Test
  void idleBytesUpToThePeakAreAllowed() {
    assertThat(new Lines().allocate("p", 40).kernel().free("p").allocate("a", 10).kernel().free("a")
      .allocate("big", 30).kernel().free("big").allocate("b", 10).kernel().reused(ReuseRules.PEAK_TESTED))
      .contains("reuse a as b");
  }

  @Test
  void theKernelDirectlyAfterTakesWithoutATest() {
    assertThat(new Lines().allocate("a", 30).kernel().free("a").allocate("b", 30).kernel()
      .reused(ReuseRules.PEAK_TESTED)).contains("reuse a as b");
  }

  /** There is room for 10 idle bytes at k1; the first takeover fills it. */
  @Test
  void aTakeoverRaisesThePeaksOfItsRange() {
    Lines lines = new Lines().allocate("peak", 40).allocate("a", 10).allocate("b", 10, b -> b.withDtype("int32"))
      .kernel().free("peak", "a", "b").allocate("low", 50).kernel().free("low").allocate("c", 10)
      .allocate("d", 10, b -> b.withDtype("int32")).kernel();
    assertThat(lines.reused(ReuseRules.PEAK_TESTED)).contains("reuse a as c").contains("allocate d");
  }

  @Test
  void aRejectedBufferGoesBackOnTheStack() {
    Lines lines = new Lines().allocate("a", 10).kernel().free("a").allocate("peak", 30).kernel().free("peak")
      .allocate("b", 10).kernel().free("b").allocate("c", 10).allocate("d", 10).kernel();
    assertThat(lines.reused(ReuseRules.PEAK_TESTED)).isEqualTo(
      "allocate a; k0; free a; allocate peak; k1; free peak; allocate b; k2; reuse b as c; allocate d; k3");
    assertThat(lines.reused(ReuseRules.PLAIN)).contains("reuse a as b").contains("reuse b as c");
  }

  @Test
  void anUnbackedSizeCountsAsNoBytesInThePeaks() {
    SymbolicSize u0 = SymbolicSize.unbacked("u0");
    assertThat(new Lines().allocate("a", u0).kernel().free("a").allocate("peak", 30).kernel().free("peak")
      .allocate("b", u0).kernel().reused(ReuseRules.PEAK_TESTED)).contains("reuse a as b");
  }

  @Test
  void badProgramsAreRefused() {
    assertThatThrownBy(() -> new Lines().allocate("a", 8).allocate("a", 8).program())
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("buffer=a");
    assertThatThrownBy(() -> new Lines().enter().program()).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Lines().exit().enter().program()).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Lines().allocate("a", 8).reuse("a", "b").removed("a").program())
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("from=a to=b");
    assertThatThrownBy(() -> LineBuffer.of(" ", 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LineBuffer.of("a", 1).withAlignment(3)).isInstanceOf(IllegalArgumentException.class);
  }
}
