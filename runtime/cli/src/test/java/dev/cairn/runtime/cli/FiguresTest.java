package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a run's numbers are made into: latencies, summaries, comparisons. */
class FiguresTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  @Test
  void percentilesAreMeasuredValues() {
    var latencies = new Latencies(LongStream.rangeClosed(1, 100).map(i -> 101 - i).boxed().toList());
    assertThat(
      List.of(latencies.percentile(0), latencies.percentile(0.5), latencies.percentile(1), latencies.percentile(50),
        latencies.percentile(99), latencies.percentile(99.1), latencies.percentile(100)))
      .containsExactly(1L, 1L, 1L, 50L, 99L,
        100L, 100L);
    assertThat(new Latencies(List.of(7L)).percentile(50)).isEqualTo(7);
    assertThat(new Latencies(List.of(9L, 5L)).percentile(50)).isEqualTo(5);
  }

  @Test
  void latenciesAreTold() {
    var latencies = new Latencies(List.of(3_000_000L, 1_000_000L, 2_500_000L));
    assertThat(latencies.text(List.of(50.0, 99.9))).isEqualTo(
      "p50 2.50 ms, p99.9 3.00 ms, min 1.00 ms, max 3.00 ms over 3 runs");
    assertThat(latencies.document(List.of(50.0, 99.9)).toString()).isEqualTo(
      "{runs=3, p50Nanos=2500000, p99.9Nanos=3000000, minNanos=1000000, maxNanos=3000000}");
    assertThat(latencies.lines()).isEqualTo("nanos\n3000000\n1000000\n2500000\n");
    assertThat(new Latencies(List.of(1L)).text(List.of())).endsWith("over 1 run");
    assertThatThrownBy(() -> new Latencies(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  private static boolean equal(double rtol, double atol, TensorView actual, TensorView expected) {
    try {
      new OutputComparison(rtol, atol).require("y", actual, expected);
      return true;
    } catch (Failure.Known e) {
      assertThat(Failure.of(e).code()).isEqualTo(ExitCode.COMPARISON_FAILED);
      return false;
    }
  }

  private static boolean equal(double rtol, double atol, double actual, double expected) {
    return equal(rtol, atol, TensorView.ofFloats(Shape.of(2), 1, (float) actual), TensorView.ofFloats(Shape.of(2), 1,
      (float) expected));
  }

  @Test
  void tolerancesAreRelativeToTheReference() {
    assertThat(equal(0, 0, 1.5, 1.5)).isTrue();
    assertThat(equal(0.5, 0, 1.5, 1)).isTrue();
    assertThat(equal(0.4375, 0, 1.5, 1)).isFalse();
    assertThat(equal(0.5, 0, 1, 2)).isTrue();
    assertThat(equal(0.5, 0, 2, 1)).as("relative to the second").isFalse();
    assertThat(equal(0, 0.25, -0.25, 0)).isTrue();
    assertThat(equal(0, 0.25, -0.5, 0)).isFalse();
    assertThat(equal(0.5, 0.25, -1.75, -1)).isTrue();
    assertThat(equal(0, 0, -0.0, 0.0)).isTrue();
  }

  @Test
  void nanMeetsNanAndAnInfinityOnlyItself() {
    assertThat(equal(0, 0, Double.NaN, Double.NaN)).isTrue();
    assertThat(equal(0, 0, Float.intBitsToFloat(0xffc00001), Double.NaN)).as("of any sign and payload").isTrue();
    assertThat(equal(1, 1, Double.NaN, 1)).isFalse();
    assertThat(equal(1, 1, 1, Double.NaN)).isFalse();
    assertThat(equal(0, 0, INFINITY, INFINITY)).isTrue();
    assertThat(equal(1, 1, 1, INFINITY)).isFalse();
    assertThat(equal(1, 1, INFINITY, 1)).isFalse();
    assertThat(equal(1, 1, -INFINITY, INFINITY)).isFalse();
    assertThat(equal(1, 1, Double.NaN, INFINITY)).isFalse();
  }

  @Test
  void wholeNumbersAreComparedInWholeNumbers() {
    long large = 1L << 60;
    assertThat(equal(0, 0, TensorView.ofLongs(large), TensorView.ofLongs(large))).isTrue();
    assertThat(equal(0, 0, TensorView.ofLongs(large), TensorView.ofLongs(large + 1))).isFalse();
    assertThat(equal(0, 1, TensorView.ofLongs(large), TensorView.ofLongs(large + 1))).isTrue();
  }

  @Test
  void anotherTypeIsADifference() {
    assertThat(equal(1, 1, TensorView.ofLongs(1), TensorView.ofFloats(Shape.of(1), 1))).isFalse();
    assertThat(equal(1, 1, TensorView.ofLongs(1, 2), TensorView.ofLongs(1, 2).reshaped(Shape.of(2, 1)))).isFalse();
  }

  @Test
  void theWorstElementIsNamed() {
    var actual = TensorView.ofFloats(Shape.of(4), 1, 2, 3, 4);
    var expected = TensorView.ofFloats(Shape.of(4), 1, 2.5f, 9, 4.5f);
    assertThatThrownBy(() -> new OutputComparison(0, 0).require("y", actual, expected)).hasMessageContaining(
      "output=y different=3 of=4 worstAt=2 value=3.0 reference=9.0 rtol=0.0 atol=0.0");
  }

  @Test
  void anOutputInAFewNumbers() {
    OutputSummary it = OutputSummary.of("y", TensorView.ofFloats(Shape.of(2, 3), 5, Float.NaN, 7, -9, 100, 1));
    assertThat(it.text())
      .isEqualTo("y float32[2x3], min -9.0000, max 100.00, mean 20.800, NaN 1; top-2 2: 7.0000, 0: 5.0000");
    assertThat(it.document().get("notNumbers")).isEqualTo(1L);
    assertThat(OutputSummary.of("y", TensorView.ofFloats(Shape.of(7), 1, 9, 3, 9, 5, 0, 4)).top()).extracting(
      OutputSummary.Top::index).as("the earlier of equals first").containsExactly(1, 3, 4, 6, 2);
  }

  @Test
  void emptyAndScalarOutputs() {
    assertThat(OutputSummary.of("y", TensorView.ofFloats(Shape.of(0, 3))).text()).isEqualTo(
      "y float32[0x3], min NaN, max NaN, mean NaN");
    assertThat(OutputSummary.of("y", TensorView.ofLong(4)).text()).isEqualTo(
      "y int64[scalar], min 4.0000, max 4.0000, mean 4.0000");
  }
}
