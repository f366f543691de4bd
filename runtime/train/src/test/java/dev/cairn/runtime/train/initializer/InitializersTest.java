package dev.cairn.runtime.train.initializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.resource.RandomState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Each initializer's scale and form (case 170). */
class InitializersTest {
  private static double[] filled(Initializer initializer, String name, long... extents) {
    TensorView values = HeapTensor.allocate(TensorType.of(DType.FLOAT64, extents));
    initializer.fill(name, values, new RandomState(5));
    return LongStream.range(0, values.elementCount()).mapToDouble(values::doubleAt).toArray();
  }

  private static double deviation(double... values) {
    return Math.sqrt(DoubleStream.of(values).map(it -> it * it).average().orElseThrow());
  }

  @Test
  void constantsFill() {
    assertThat(filled(Initializers.zero(), "w", 3)).containsOnly(0);
    assertThat(filled(Initializers.one(), "w", 3)).containsOnly(1);
    assertThat(filled(Initializers.constant(0.25), "w", 3)).containsOnly(0.25);
  }

  @Test
  void uniformNumbersLieWithinTheirScale() {
    double[] values = filled(Initializers.uniform(0.07), "w", 100, 100);
    assertThat(DoubleStream.of(values)).allMatch(it -> it >= -0.07 && it < 0.07);
    assertThat(deviation(values)).isCloseTo(0.07 / Math.sqrt(3), within(0.001));
    assertThat(DoubleStream.of(values).average().orElseThrow()).isCloseTo(0, within(0.002));
  }

  @Test
  void normalNumbersHaveTheirDeviation() {
    assertThat(deviation(filled(Initializers.normal(0.01), "w", 100, 100))).isCloseTo(0.01, within(0.0003));
  }

  /** Fans of a kernel {@code [20,10,3,3]}: 90 in, 180 out. */
  @Test
  void xavierScalesByTheFans() {
    long[] kernel = {20, 10, 3, 3};
    double[] average = filled(Initializers.xavier(), "w", kernel);
    assertThat(DoubleStream.of(average).max().orElseThrow()).isBetween(0.98 * Math.sqrt(3.0 / 135), Math.sqrt(3.0
      / 135));
    assertThat(deviation(filled(Initializers.xavier(Initializers.Distribution.GAUSSIAN, Initializers.Fan.IN, 2), "w",
      kernel))).isCloseTo(Math.sqrt(2.0 / 90), within(0.01));
    assertThat(deviation(filled(Initializers.msraPrelu(Initializers.Fan.OUT, 0.25), "w", kernel))).isCloseTo(Math.sqrt(
      2 / (1 + 0.0625) / 180), within(0.007));
    assertThatIllegalArgumentException().isThrownBy(() -> filled(Initializers.xavier(), "fc.bias", 3))
      .withMessageContaining("fc.bias");
  }

  @Test
  void orthogonalRowsOrColumnsAreOrthonormal() {
    for (long[] extents : new long[][] {{4, 6}, {6, 4}, {3, 2, 2}}) {
      double[] values = filled(Initializers.orthogonal(2), "w", extents);
      int rows = (int) extents[0];
      int columns = values.length / rows;
      boolean isWide = columns >= rows;
      int count = Math.min(rows, columns);
      for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
          double product = 0;
          for (int i = 0; i < Math.max(rows, columns); i++) {
            product += isWide
              ? values[a * columns + i] * values[b * columns + i]
              : values[i * columns + a] * values[i * columns + b];
          }
          assertThat(product).isCloseTo(a == b ? 4 : 0, within(1e-12));
        }
      }
    }
  }

  /** By hand, after MXNet: factor 2 and centre 0.75 for an extent of 4. */
  @Test
  void bilinearKernelsInterpolate() {
    double[] line = {0.25, 0.75, 0.75, 0.25};
    double[] values = filled(Initializers.bilinear(), "w", 1, 1, 4, 4);
    for (int i = 0; i < 16; i++) {
      assertThat(values[i]).isCloseTo(line[i / 4] * line[i % 4], within(1e-12));
    }
  }

  @Test
  void lstmBiasesForgetLittle() {
    assertThat(filled(Initializers.lstmBias(1), "bias_ih_l0", 8)).containsExactly(0, 0, 1, 1, 0, 0, 0, 0);
  }

  @Test
  void namesDecideWhereNothingElseIsSaid() {
    Initializer byName = Initializers.byName(Initializers.constant(9));
    Map<String, Double> expected = Map.of("fc.weight", 9.0, "fc.bias", 0.0, "bn.beta", 0.0, "bn.gamma", 1.0,
      "bn.running_mean", 0.0, "bn.running_var", 1.0, "rnn.bias_ih_l0", 0.0, "rnn.weight_hh_l0", 9.0,
      "attn.in_proj_bias", 0.0);
    expected.forEach((name, value) -> assertThat(filled(byName, name, 2)).as(name).containsOnly(value));
  }

  @Test
  void theFirstPatternThatFitsWins() {
    Map<String, Initializer> patterns = new LinkedHashMap<>();
    patterns.put("fc1.*", Initializers.one());
    patterns.put("*.weight", Initializers.constant(2));
    Initializer mixed = Initializers.mixed(patterns);
    assertThat(filled(mixed, "fc1.weight", 1)).containsOnly(1);
    assertThat(filled(mixed, "fc2.weight", 1)).containsOnly(2);
    assertThatIllegalArgumentException().isThrownBy(() -> filled(mixed, "fc2.bias", 1))
      .withMessageContaining("fc2.bias")
      .withMessageContaining("fc1.*");
  }

  /** W-3: one draw each, so the order of parameters decides, and nothing else. */
  @Test
  void anInitializerTakesOneDrawAndConstantsTakeNone() {
    var random = new RandomState(1);
    TensorView values = HeapTensor.allocate(TensorType.of(DType.FLOAT32, 3000, 5));
    Initializers.xavier().fill("w", values, random);
    assertThat(random.save()[1]).isEqualTo(1);
    Initializers.zero().fill("w", values, random);
    assertThat(random.save()[1]).isEqualTo(1);
    assertThat(filled(Initializers.orthogonal(1), "w", 3, 3)).isEqualTo(filled(Initializers.orthogonal(1), "w", 3, 3));
  }

  @Test
  void wholeNumbersAreRefused() {
    TensorView values = HeapTensor.allocate(TensorType.of(DType.INT64, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> Initializers.one().fill("w", values, new RandomState(1)))
      .withMessageContaining("int64[3]");
  }
}
