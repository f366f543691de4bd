package dev.cairn.kernels.cpu.quantized;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.ByHand;
import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The portable kernels of quantised operators, on values worked out by hand. */
class QuantizedTest {
  private static final float HUGE = 1e30f;

  private static TensorView scale(double... values) {
    return ByHand.floats(values);
  }

  private static TensorView bytes(long... values) {
    return TestTensors.ofLongs(DType.UINT8, Shape.of(values.length), values);
  }

  private static TensorView signed(long... values) {
    return TestTensors.ofLongs(DType.INT8, Shape.of(values.length), values);
  }

  private static long[] quantized(DType dtype, Attributes attributes, TensorView x,
    @Nullable TensorView... parameters) {
    var inputs = new TensorView[parameters.length + 1];
    inputs[0] = x;
    System.arraycopy(parameters, 0, inputs, 1, parameters.length);
    return ByHand.run("QuantizeLinear", attributes, x.type().withDType(dtype), inputs).toLongArray();
  }

  @Test
  void roundsHalfToEvenBeforeTheZeroPointIsAdded() {
    assertThat(quantized(DType.UINT8, Attributes.NONE, ByHand.floats(1, 3, 5, -1), scale(2), bytes(1)))
      .containsExactly(1, 3, 3, 1);
  }

  @Test
  void saturatesAndGivesTheLeastForNan() {
    TensorView x = ByHand.floats(HUGE, -HUGE, Double.NaN, Double.POSITIVE_INFINITY, 127.4, 127.6);
    assertThat(quantized(DType.INT8, Attributes.NONE, x, scale(1), signed(0))).containsExactly(127, -128, -128, 127,
      127, 127);
    assertThat(quantized(DType.UINT16, Attributes.NONE, x, scale(0.001))).containsExactly(65535, 0, 0, 65535, 65535,
      65535);
  }

  @Test
  void hasOneScaleForEachIndexOfAnAxis() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(2, 2, 2), 2, 4, 6, 8, 10, 12, 14, 16);
    assertThat(quantized(DType.UINT8, Attributes.NONE, x, scale(1, 2), bytes(0, 10))).containsExactly(2, 4, 13, 14,
      10, 12, 17, 18);
    assertThat(quantized(DType.UINT8, Attributes.NONE.with("axis", -1), x, scale(1, 2), bytes(0, 10)))
      .containsExactly(2, 12, 6, 14, 10, 16, 14, 18);
  }

  @Test
  void hasOneScaleForEachBlockOfWhichTheLastMayBeShort() {
    TensorView line = ByHand.floats(2, 4, 6, 8, 10);
    Attributes blocks = Attributes.NONE.with("axis", 0).with("block_size", 2);
    assertThat(quantized(DType.UINT8, blocks, line, scale(1, 2, 5))).containsExactly(2, 4, 3, 4, 2);
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(3, 2), 2, 4, 6, 8, 10, 20);
    TensorView scales = TestTensors.of(DType.FLOAT32, Shape.of(2, 2), 1, 2, 5, 10);
    assertThat(quantized(DType.UINT8, blocks, x, scales)).containsExactly(2, 2, 6, 4, 2, 2);
  }

  /** 127.47 lies half way between two numbers of 16 bits that round to 127 and, to even, 128. */
  @Test
  void dividesInTheScalesTypeOrTheOneThatIsNamed() {
    TensorView x = ByHand.floats(127.47);
    assertThat(quantized(DType.UINT8, Attributes.NONE, x, scale(1))).containsExactly(127);
    assertThat(quantized(DType.UINT8, Attributes.NONE.with("precision", new AttributeValue.Text("float16")), x, scale(
      1))).containsExactly(128);
    assertThat(quantized(DType.UINT8, Attributes.NONE, x, TestTensors.of(DType.FLOAT16, Shape.SCALAR, 1)))
      .containsExactly(128);
  }

  @Test
  void dequantizesTheDifference() {
    TensorView x = signed(-128, 0, 127);
    TensorView y = ByHand.run("DequantizeLinear", Attributes.NONE, TensorType.of(DType.FLOAT32, 3), x, scale(0.5),
      signed(127));
    assertThat(TestTensors.doubles(y)).containsExactly(-127.5, -63.5, 0);
    TensorView wide = TestTensors.ofLongs(DType.INT32, Shape.of(2), 3, -5);
    TensorView each = ByHand.run("DequantizeLinear", Attributes.NONE.with("axis", 0), TensorType.of(DType.FLOAT16, 2),
      wide, scale(2, 0.25));
    assertThat(TestTensors.doubles(each)).containsExactly(6, -1.25);
  }

  private static List<TensorView> dynamic(double... values) {
    return KernelRunner.checkTwins(StandardKernels.portableRows(), "DynamicQuantizeLinear", Attributes.NONE, List.of(
      TensorType.of(DType.UINT8, values.length), new TensorType(DType.FLOAT32, Shape.SCALAR), new TensorType(
        DType.UINT8, Shape.SCALAR)),
      1, ByHand.floats(values));
  }

  @Test
  void findsTheRangeWidenedToZero() {
    List<TensorView> positive = dynamic(255, 51, 510);
    assertThat(positive.get(0).toLongArray()).containsExactly(128, 26, 255);
    assertThat(positive.get(1).doubleAt(0)).isEqualTo(2);
    assertThat(positive.get(2).longAt(0)).isZero();
    List<TensorView> both = dynamic(-51, 204, Double.NaN);
    assertThat(both.get(0).toLongArray()).containsExactly(0, 255, 0);
    assertThat(both.get(2).longAt(0)).isEqualTo(51);
  }

  @Test
  void aRangeOfZeroHasScaleOne() {
    List<TensorView> results = dynamic(0, 0);
    assertThat(results.get(0).toLongArray()).containsExactly(0, 0);
    assertThat(results.get(1).doubleAt(0)).isEqualTo(1);
    assertThat(results.get(2).longAt(0)).isZero();
  }

  @Test
  void multipliesWithZeroPointsOfRowsAndColumns() {
    TensorView a = TestTensors.ofLongs(DType.UINT8, Shape.of(2, 2), 1, 2, 255, 4);
    TensorView b = TestTensors.ofLongs(DType.INT8, Shape.of(2, 2), 1, -128, 3, 127);
    TensorView y = ByHand.run("MatMulInteger", Attributes.NONE, TensorType.of(DType.INT32, 2, 2), a, b, bytes(1, 5),
      signed(0, -1));
    assertThat(y.toLongArray()).containsExactly(3, 128, 250 - 3, 250 * -127 - 128);
  }

  @Test
  void sumsWrapAtThirtyTwoBits() {
    int depth = 70_000;
    TensorView a = TestTensors.zeros(TensorType.of(DType.UINT8, 1, depth));
    a.segment().fill((byte) 255);
    TensorView b = TestTensors.zeros(TensorType.of(DType.UINT8, depth, 1));
    b.segment().fill((byte) 255);
    TensorView y = ByHand.run("MatMulInteger", Attributes.NONE, TensorType.of(DType.INT32, 1, 1), a, b);
    assertThat(y.longAt(0)).isEqualTo(255L * 255 * depth - (1L << 32));
  }

  @Test
  void scalesAProductAndAddsABias() {
    TensorView a = TestTensors.ofLongs(DType.UINT8, Shape.of(1, 2), 3, 4);
    TensorView b = TestTensors.ofLongs(DType.INT8, Shape.of(2, 2), 1, 2, 3, 4);
    TensorView y = ByHand.run("MatMulIntegerToFloat", Attributes.NONE, TensorType.of(DType.FLOAT32, 1, 2), a, b, scale(
      0.5), scale(1, 2), bytes(2), null, scale(10, 20));
    assertThat(TestTensors.doubles(y)).containsExactly(7 * 0.5 + 10, 10 + 20);
  }

  @Test
  void quantizesAProductAgain() {
    TensorView a = TestTensors.ofLongs(DType.UINT8, Shape.of(1, 2), 3, 4);
    TensorView b = TestTensors.ofLongs(DType.INT8, Shape.of(2, 3), 1, 2, 100, 3, 4, 100);
    TensorView y = ByHand.run("QLinearMatMul", Attributes.NONE, TensorType.of(DType.INT8, 1, 3), a, scale(0.5), bytes(
      2), b, scale(1), signed(0), scale(1), signed(1));
    assertThat(y.toLongArray()).containsExactly(5, 6, 127);
  }

  @Test
  void paddingOfAConvolutionCountsAsTheZeroPoint() {
    TensorView x = TestTensors.ofLongs(DType.UINT8, Shape.of(1, 1, 3), 10, 11, 12);
    TensorView w = TestTensors.ofLongs(DType.INT8, Shape.of(2, 1, 3), 1, 1, 1, 1, 2, 3);
    Attributes padded = Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1));
    TensorView sums = ByHand.run("ConvInteger", padded, TensorType.of(DType.INT32, 1, 2, 3), x, w, bytes(10), signed(0,
      1));
    assertThat(sums.toLongArray()).containsExactly(1, 3, 3, 2, 1 + 2 * 2, 2);
    TensorView bias = TestTensors.ofLongs(DType.INT32, Shape.of(2), 4, -6);
    TensorView y = ByHand.run("QLinearConv", padded, TensorType.of(DType.UINT8, 1, 2, 3), x, scale(0.5), bytes(10), w,
      scale(1, 2), signed(0, 1), scale(1), bytes(3), bias);
    assertThat(y.toLongArray()).containsExactly(5, 7, 7, 0, 2, 0);
  }

  private static long[] between(String operator, Attributes attributes, TensorType result, TensorView... inputs) {
    return ByHand.run(operator, attributes, result, inputs).toLongArray();
  }

  /** (10 - 2) / 2 + (-3 - 1) / 4 = 3, which is 15 units of 0.2, and 200 / 2 + 127 / 4 saturates. */
  @Test
  void combinesRealNumbersBetweenQuantizedTensors() {
    TensorType two = TensorType.of(DType.UINT8, 2);
    assertThat(between("QLinearAdd", Attributes.NONE, two, bytes(10, 202), scale(0.5), bytes(2), signed(-3, 127),
      scale(0.25), signed(1), scale(0.2), bytes(7))).containsExactly(22, 255);
    assertThat(between("QLinearMul", Attributes.NONE, two.withDType(DType.INT8), bytes(10, 202), scale(0.5), bytes(2),
      signed(-3), scale(0.25), signed(1), scale(0.5), signed(-1))).containsExactly(-9, -128);
  }

  /** Means of 3 and 5.5 units of 0.5, with a zero point of 1; the edge of the second window does not count. */
  @Test
  void averagesQuantizedTensors() {
    TensorView x = bytes(3, 5, 4, 9).reshaped(Shape.of(1, 1, 4));
    assertThat(between("QLinearAveragePool", Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(3)).with(
      "strides", AttributeValue.Ints.of(3)).with("pads", AttributeValue.Ints.of(0, 2)), TensorType.of(DType.UINT8, 1, 1,
        2),
      x, scale(0.5), bytes(1), scale(0.25), bytes(10))).containsExactly(16, 26);
    assertThat(between("QLinearGlobalAveragePool", Attributes.NONE, TensorType.of(DType.INT8, 1, 1, 1), x, scale(0.5),
      bytes(1), scale(0.25), signed(0))).containsExactly(8);
  }

  /** Short and long lines, which go two ways, against the definition. */
  @Test
  void normalizesQuantizedLines() {
    for (DType dtype : List.of(DType.INT8, DType.UINT8)) {
      for (int length : new int[] {1, 5, 256, 257, 1000}) {
        TensorView x = TestTensors.randomBits(dtype, Shape.of(2, length), new Random(length));
        long[] y = between("QLinearSoftmax", Attributes.NONE, TensorType.of(DType.UINT8, 2, length), x, scale(0.02),
          TestTensors.ofLongs(dtype, Shape.of(1), 3), scale(1.0 / 256), bytes(2));
        for (int line = 0; line < 2; line++) {
          double sum = 0;
          for (int i = 0; i < length; i++) {
            sum += Math.exp(0.02f * x.longAt(line * length + i));
          }
          for (int i = 0; i < length; i++) {
            double wanted = Math.exp(0.02f * x.longAt(line * length + i)) / sum * 256 + 2;
            assertThat((double) y[line * length + i]).isCloseTo(Math.min(255, wanted), within(0.5001));
          }
        }
      }
    }
  }
}
