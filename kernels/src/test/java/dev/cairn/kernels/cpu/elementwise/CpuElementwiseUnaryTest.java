package dev.cairn.kernels.cpu.elementwise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.ElementwiseKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CpuElementwiseUnaryTest {
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  private static TensorView run(String operator, Attributes attributes, @Nullable TensorView... inputs) {
    TensorView first = inputs[0];
    if (first == null) {
      throw new IllegalArgumentException("no input");
    }
    return KernelRunner
      .checkTwins(ElementwiseKernels.ROWS, operator, attributes, List.of(first.type()), 1, inputs).getFirst();
  }

  private static void check(String operator, Attributes attributes, double[] x, double... expected) {
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
      TensorView y = run(operator, attributes, TestTensors.of(dtype, Shape.of(x.length), x));
      Tolerance.of(dtype, 1).times(8).check(operator, expected, y);
    }
  }

  private static double[] of(double... values) {
    return values;
  }

  /** Values of erf and its complement to 18 digits, from an arbitrary-precision library. */
  @ParameterizedTest
  @CsvSource({"0.1,0.112462916018284892,0.887537083981715108", "0.5,0.520499877813046538,0.479500122186953462",
    "1,0.842700792949714869,0.157299207050285131", "2,0.995322265018952734,0.00467773498104726584",
    "2.5,0.999593047982555041,0.00040695201744495894", "3,0.999977909503001415,0.0000220904969985854414",
    "5,0.99999999999846254,1.53745979442803485e-12"})
  void errorFunction(double x, double erf, double complement) {
    assertThat(ErrorFunction.erf(x)).isCloseTo(erf, Offset.offset(1e-15));
    assertThat(ErrorFunction.erf(-x)).isEqualTo(-ErrorFunction.erf(x));
    assertThat(ErrorFunction.erfc(x) / complement).isCloseTo(1, Offset.offset(2e-12));
    assertThat(ErrorFunction.erfc(-x)).isCloseTo(1 + erf, Offset.offset(1e-15));
  }

  @Test
  void errorFunctionAtTheEnds() {
    check("Erf", Attributes.NONE, of(0, INFINITE, -INFINITE, Double.NaN, 30, -30), 0, 1, -1, Double.NaN, 1, -1);
  }

  @Test
  void exponentialsAndLogarithms() {
    check("Exp", Attributes.NONE, of(0, 1, -INFINITE, INFINITE, Double.NaN), 1, Math.E, 0, INFINITE, Double.NaN);
    check("Log", Attributes.NONE, of(1, Math.E, 0, -1, INFINITE, Double.NaN, -INFINITE), 0, 1, -INFINITE, Double.NaN,
      INFINITE, Double.NaN, Double.NaN);
    check("Tanh", Attributes.NONE, of(0, 1, -50, INFINITE, Double.NaN), 0, 0.7615941559557649, -1, 1, Double.NaN);
    check("Sigmoid", Attributes.NONE, of(0, 200, -200, INFINITE, -INFINITE, Double.NaN), 0.5, 1, 0, 1, 0, Double.NaN);
  }

  @Test
  void rootsAndReciprocals() {
    check("Sqrt", Attributes.NONE, of(4, 0, -1, INFINITE), 2, 0, Double.NaN, INFINITE);
    check("Reciprocal", Attributes.NONE, of(4, 0.0, -0.0, INFINITE), 0.25, INFINITE, -INFINITE, 0);
    check("Floor", Attributes.NONE, of(1.5, -1.5, -0.5, INFINITE, Double.NaN), 1, -2, -1, INFINITE, Double.NaN);
    check("Ceil", Attributes.NONE, of(1.5, -1.5, -0.5, INFINITE, Double.NaN), 2, -1, 0, INFINITE, Double.NaN);
    check("Sin", Attributes.NONE, of(0, Math.PI / 2, INFINITE), 0, 1, Double.NaN);
    check("Cos", Attributes.NONE, of(0, Math.PI, INFINITE), 1, -1, Double.NaN);
  }

  @Test
  void rectifiers() {
    check("Relu", Attributes.NONE, of(-1, 0, 2, Double.NaN, -INFINITE, INFINITE), 0, 0, 2, Double.NaN, 0, INFINITE);
    check("LeakyRelu", Attributes.NONE, of(-1, 2, Double.NaN), (double) -0.01f, 2, Double.NaN);
    check("LeakyRelu", Attributes.NONE.with("alpha", new AttributeValue.Real(0.5f)), of(-1, 2), -0.5, 2);
    check("HardSigmoid", Attributes.NONE, of(-5, 0, 1, 5, Double.NaN), 0, 0.5, 0.5 + 0.2f, 1, Double.NaN);
    check("HardSigmoid", Attributes.NONE.with("alpha", new AttributeValue.Real(0.5f)).with("beta",
      new AttributeValue.Real(0.25f)), of(-1, 0, 1), 0, 0.25, 0.75);
    check("HardSwish", Attributes.NONE, of(-4, -1, 0, 1, 4, Double.NaN), 0, -1 / 3.0, 0, 2 / 3.0, 4, Double.NaN);
  }

  @Test
  void gaussianErrorLinearUnits() {
    check("Gelu", Attributes.NONE, of(0, 1, -1, 10, -20, Double.NaN), 0, 0.8413447460685429,
      -0.15865525393145707, 10, 0, Double.NaN);
    var tanh = Attributes.NONE.with("approximate", new AttributeValue.Text("tanh"));
    check("Gelu", tanh, of(0, 1, -1, 10, -20, Double.NaN), 0, 0.8411919906082768, -0.15880800939172324, 10, 0,
      Double.NaN);
  }

  @Test
  void signsOfZeros() {
    var zeros = TestTensors.of(DType.FLOAT32, Shape.of(2), 0.0, -0.0);
    assertThat(TestTensors.doubles(run("Neg", Attributes.NONE, zeros))).containsExactly(-0.0, 0.0);
    assertThat(TestTensors.doubles(run("Abs", Attributes.NONE, zeros))).containsExactly(0.0, 0.0);
  }

  @Test
  void wholeNumbersWrap() {
    var x = TestTensors.ofLongs(DType.INT8, Shape.of(3), -128, 5, -5);
    assertThat(run("Neg", Attributes.NONE, x).toLongArray()).containsExactly(-128, -5, 5);
    assertThat(run("Abs", Attributes.NONE, x).toLongArray()).containsExactly(-128, 5, 5);
    assertThat(run("Relu", Attributes.NONE, x).toLongArray()).containsExactly(0, 5, 0);
    var large = TestTensors.ofLongs(DType.UINT64, Shape.of(1), -1);
    assertThat(run("Abs", Attributes.NONE, large).toLongArray()).containsExactly(-1);
  }

  @Test
  void negation() {
    var x = TestTensors.ofLongs(DType.BOOL, Shape.of(3), 0, 1, 0);
    assertThat(run("Not", Attributes.NONE, x).toLongArray()).containsExactly(1, 0, 1);
  }

  @ParameterizedTest
  @EnumSource(value = DType.class, from = "FLOAT32", to = "UINT64")
  void clipBoundsEveryType(DType dtype) {
    var x = TestTensors.of(dtype, Shape.of(5), 0, 3, 5, 7, 100);
    var low = TestTensors.of(dtype, Shape.SCALAR, 4);
    var high = TestTensors.of(dtype, Shape.SCALAR, 6);
    assertThat(TestTensors.doubles(run("Clip", Attributes.NONE, x, low, high))).containsExactly(4, 4, 5, 6, 6);
    assertThat(TestTensors.doubles(run("Clip", Attributes.NONE, x, low))).containsExactly(4, 4, 5, 7, 100);
    assertThat(TestTensors.doubles(run("Clip", Attributes.NONE, x, null, high))).containsExactly(0, 3, 5, 6, 6);
    assertThat(TestTensors.doubles(run("Clip", Attributes.NONE, x))).containsExactly(0, 3, 5, 7, 100);
    assertThat(TestTensors.doubles(run("Clip", Attributes.NONE, x, high, low))).containsOnly(4);
  }

  @Test
  void clipKeepsNotANumberAndLargeUnsigned() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(2), Double.NaN, INFINITE);
    var one = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 1);
    assertThat(TestTensors.doubles(run("Clip", Attributes.NONE, x, one, one))).containsExactly(Double.NaN, 1);
    var large = TestTensors.ofLongs(DType.UINT64, Shape.of(2), -1, 3);
    var high = TestTensors.ofLongs(DType.UINT64, Shape.SCALAR, Long.MIN_VALUE);
    assertThat(run("Clip", Attributes.NONE, large, null, high).toLongArray()).containsExactly(Long.MIN_VALUE, 3);
  }
}
