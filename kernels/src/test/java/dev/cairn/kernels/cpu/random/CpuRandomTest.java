package dev.cairn.kernels.cpu.random;

import static dev.cairn.kernels.ByHand.floats;
import static dev.cairn.kernels.ByHand.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Random tensors by their distributions. The seeds are fixed, so that no test fails by chance. */
class CpuRandomTest {
  private static final int COUNT = 20_000;
  private static final TensorType TYPE = TensorType.of(DType.FLOAT32, COUNT);

  private static Attributes real(Attributes attributes, String name, float value) {
    return attributes.with(name, new AttributeValue.Real(value));
  }

  /** W-2: known answers of the authors' own implementation. */
  @Test
  void thePublishedBitsAreDrawn() {
    assertThat(new PhiloxGenerator(0, 0).block(0)).containsExactly(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
    assertThat(new PhiloxGenerator(-1, -1).block(-1)).containsExactly(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
    assertThat(new PhiloxGenerator(0x299f31d0_a4093822L, 0x03707344_13198a2eL).block(0x85a308d3_243f6a88L))
      .containsExactly(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
  }

  /** W-6: how words become numbers of each type. */
  @Test
  void w6NumbersAreMadeOfTheWords() {
    int[] words = new PhiloxGenerator(0, 0).block(0);
    float[] wanted = new float[4];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = (words[i] >>> 8) * 0x1p-24f;
    }
    double[] drawn = TestTensors.doubles(run("RandomUniform", Attributes.NONE, TensorType.of(DType.FLOAT32, 5)));
    assertThat(drawn).startsWith(wanted[0], wanted[1], wanted[2], wanted[3]);
    double[] wide = TestTensors.doubles(run("RandomUniform", Attributes.NONE, TensorType.of(DType.FLOAT64, 2)));
    assertThat(wide[1]).isEqualTo((((words[2] & 0xFFFFFFFFL) >>> 5) * 0x1p26 + ((words[3] & 0xFFFFFFFFL) >>> 6))
      * 0x1p-53);
    double[] half = TestTensors.doubles(run("RandomUniform", Attributes.NONE, TensorType.of(DType.FLOAT16, 4)));
    double[] brain = TestTensors.doubles(run("RandomUniform", Attributes.NONE, TensorType.of(DType.BFLOAT16, 4)));
    for (int i = 0; i < wanted.length; i++) {
      assertThat(half[i]).isLessThanOrEqualTo(wanted[i]).isGreaterThan(wanted[i] * (1 - 0x1p-10));
      assertThat(brain[i]).isLessThanOrEqualTo(wanted[i]).isGreaterThan(wanted[i] * (1 - 0x1p-7));
    }
  }

  /** W-3: seed and draw of the operand decide, and the cut of the work does not. */
  @Test
  void w3SeedAndDrawAreAnOperand() {
    Attributes second = Attributes.NONE.with("draw", new AttributeValue.Int(1));
    TensorView first = run("RandomNormal", Attributes.NONE, TYPE, TensorView.ofLongs(5, 8));
    assertThat(TestTensors.doubles(run("RandomNormal", second, TYPE, TensorView.ofLongs(5, 7)))).isEqualTo(TestTensors
      .doubles(first));
    assertThat(TestTensors.doubles(run("RandomNormal", Attributes.NONE, TYPE, TensorView.ofLongs(5, 9)))).isNotEqualTo(
      TestTensors.doubles(first));
    TensorView few = run("RandomNormal", Attributes.NONE, TensorType.of(DType.FLOAT32, 777), TensorView.ofLongs(5, 8));
    assertThat(TestTensors.doubles(first)).startsWith(TestTensors.doubles(few));
  }

  @Test
  void uniformNumbersFillTheirRange() {
    Attributes attributes = real(real(Attributes.NONE, "low", -1), "high", 3);
    double[] drawn = TestTensors.doubles(run("RandomUniform", attributes, TYPE));
    assertThat(Arrays.stream(drawn).min().orElseThrow()).isBetween(-1.0, -0.99);
    assertThat(Arrays.stream(drawn).max().orElseThrow()).isBetween(2.99, 3.0);
    assertThat(mean(drawn)).isCloseTo(1, Offset.offset(0.03));
    assertThat(variance(drawn)).isCloseTo(16 / 12.0, Offset.offset(0.03));
  }

  @Test
  void normalNumbersHaveTheirMeanAndDeviation() {
    Attributes attributes = real(real(Attributes.NONE, "mean", 5), "scale", 2);
    double[] drawn = TestTensors.doubles(run("RandomNormalLike", attributes, TYPE, TestTensors.zeros(TYPE)));
    assertThat(mean(drawn)).isCloseTo(5, Offset.offset(0.05));
    assertThat(variance(drawn)).isCloseTo(4, Offset.offset(0.1));
    assertThat(Arrays.stream(drawn).filter(x -> Math.abs(x - 5) < 2).count() / (double) COUNT).isCloseTo(0.6827, Offset
      .offset(0.01));
  }

  @Test
  void aSeedDecidesAllElements() {
    TensorView first = run("RandomNormal", Attributes.NONE, TYPE);
    assertThat(TestTensors.doubles(run("RandomNormal", Attributes.NONE, TYPE))).isEqualTo(TestTensors.doubles(first));
    assertThat(TestTensors.doubles(run("RandomNormal", real(Attributes.NONE, "seed", 1), TYPE))).isNotEqualTo(
      TestTensors.doubles(first));
  }

  @Test
  void coinsFallAsOftenAsTheyShould() {
    TensorView p = TestTensors.of(DType.FLOAT32, Shape.of(COUNT), Arrays.stream(new double[COUNT]).map(_ -> 0.3)
      .toArray());
    long[] drawn = run("Bernoulli", Attributes.NONE, TensorType.of(DType.BOOL, COUNT), p).toLongArray();
    assertThat(Arrays.stream(drawn).sum() / (double) COUNT).isCloseTo(0.3, Offset.offset(0.01));
    assertThat(run("Bernoulli", Attributes.NONE, TensorType.of(DType.INT64, 2), floats(0, 1)).toLongArray())
      .containsExactly(0, 1);
  }

  @Test
  void classesAreAsLikelyAsTheirLogarithmsSay() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(2, 3), Math.log(2), Math.log(6), Double.NEGATIVE_INFINITY, 1,
      1, 1);
    long[] drawn = run("Multinomial", Attributes.NONE, TensorType.of(DType.INT64, 2, COUNT), x).toLongArray();
    assertThat(share(drawn, 0, 0)).isCloseTo(0.25, Offset.offset(0.01));
    assertThat(share(drawn, 0, 2)).isZero();
    assertThat(share(drawn, COUNT, 2)).isCloseTo(1 / 3.0, Offset.offset(0.01));
  }

  private static double share(long[] drawn, int first, long wanted) {
    return Arrays.stream(drawn, first, first + COUNT).filter(x -> x == wanted).count() / (double) COUNT;
  }

  private static double mean(double[] drawn) {
    return Arrays.stream(drawn).average().orElseThrow();
  }

  private static double variance(double[] drawn) {
    double mean = mean(drawn);
    return Arrays.stream(drawn).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
  }
}
