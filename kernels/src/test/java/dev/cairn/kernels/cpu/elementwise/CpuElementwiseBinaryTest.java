package dev.cairn.kernels.cpu.elementwise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.ElementwiseKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CpuElementwiseBinaryTest {
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  private static TensorView run(String operator, DType result, TensorView... inputs) {
    Shape shape = Shape.SCALAR;
    for (TensorView input : inputs) {
      shape = shape.broadcastWith(input.shape());
    }
    return KernelRunner
      .checkTwins(ElementwiseKernels.ROWS, operator, Attributes.NONE, List.of(new TensorType(result, shape)), 1, inputs)
      .getFirst();
  }

  private static TensorView longs(DType dtype, long... values) {
    return TestTensors.ofLongs(dtype, Shape.of(values.length), values);
  }

  private static TensorView floats(double... values) {
    return TestTensors.of(DType.FLOAT32, Shape.of(values.length), values);
  }

  @ParameterizedTest
  @EnumSource(value = DType.class, from = "FLOAT32", to = "UINT64")
  void everyTypeCalculates(DType dtype) {
    var a = TestTensors.of(dtype, Shape.of(3), 7, 9, 12);
    var b = TestTensors.of(dtype, Shape.of(3), 2, 3, 4);
    assertThat(TestTensors.doubles(run("Add", dtype, a, b))).containsExactly(9, 12, 16);
    assertThat(TestTensors.doubles(run("Sub", dtype, a, b))).containsExactly(5, 6, 8);
    assertThat(TestTensors.doubles(run("Mul", dtype, a, b))).containsExactly(14, 27, 48);
    assertThat(TestTensors.doubles(run("Div", dtype, a, b))).containsExactly(dtype.isFloat() ? 3.5 : 3, 3, 3);
    assertThat(TestTensors.doubles(run("Min", dtype, a, b))).containsExactly(2, 3, 4);
    assertThat(TestTensors.doubles(run("Max", dtype, b, a))).containsExactly(7, 9, 12);
    assertThat(TestTensors.doubles(run("Pow", dtype, b, b))).containsExactly(4, 27, dtype.bytes() == 1 ? 0 : 256);
    assertThat(run("Less", DType.BOOL, b, a).toLongArray()).containsExactly(1, 1, 1);
    assertThat(run("Greater", DType.BOOL, b, a).toLongArray()).containsExactly(0, 0, 0);
    assertThat(run("Equal", DType.BOOL, a, a).toLongArray()).containsExactly(1, 1, 1);
    assertThat(run("LessOrEqual", DType.BOOL, a, a).toLongArray()).containsExactly(1, 1, 1);
    assertThat(run("GreaterOrEqual", DType.BOOL, b, a).toLongArray()).containsExactly(0, 0, 0);
  }

  @Test
  void wholeNumbersWrapAndDivisionByZeroGivesZero() {
    var a = longs(DType.INT32, Integer.MAX_VALUE, Integer.MIN_VALUE, -7, 5);
    var b = longs(DType.INT32, 1, -1, 2, 0);
    assertThat(run("Add", DType.INT32, a, b).toLongArray())
      .containsExactly(Integer.MIN_VALUE, Integer.MAX_VALUE, -5, 5);
    assertThat(run("Div", DType.INT32, a, b).toLongArray())
      .containsExactly(Integer.MAX_VALUE, Integer.MIN_VALUE, -3, 0);
    assertThat(run("Mul", DType.INT32, a, longs(DType.INT32, 2)).toLongArray()).containsExactly(-2, 0, -14, 10);
    var least = longs(DType.INT64, Long.MIN_VALUE);
    assertThat(run("Div", DType.INT64, least, longs(DType.INT64, -1)).toLongArray()).containsExactly(Long.MIN_VALUE);
  }

  @Test
  void unsignedSixtyFourBits() {
    var a = longs(DType.UINT64, -1, 10);
    var b = longs(DType.UINT64, 2, 0);
    assertThat(run("Div", DType.UINT64, a, b).toLongArray()).containsExactly(Long.MAX_VALUE, 0);
    assertThat(run("Max", DType.UINT64, a, b).toLongArray()).containsExactly(-1, 10);
    assertThat(run("Min", DType.UINT64, a, b).toLongArray()).containsExactly(2, 0);
    assertThat(run("Less", DType.BOOL, a, b).toLongArray()).containsExactly(0, 0);
    assertThat(run("Greater", DType.BOOL, a, b).toLongArray()).containsExactly(1, 1);
  }

  @Test
  void realsFollowIeee() {
    var a = floats(1, -1, 0, Double.NaN, INFINITE);
    var b = floats(0, 0, 0, 1, INFINITE);
    assertThat(TestTensors.doubles(run("Div", DType.FLOAT32, a, b)))
      .containsExactly(INFINITE, -INFINITE, Double.NaN, Double.NaN, Double.NaN);
    assertThat(TestTensors.doubles(run("Max", DType.FLOAT32, a, b))).containsExactly(1, 0, 0, Double.NaN, INFINITE);
    assertThat(TestTensors.doubles(run("Min", DType.FLOAT32, b, a))).containsExactly(0, -1, 0, Double.NaN, INFINITE);
    assertThat(run("Equal", DType.BOOL, a, a).toLongArray()).containsExactly(1, 1, 1, 0, 1);
    assertThat(run("LessOrEqual", DType.BOOL, a, a).toLongArray()).containsExactly(1, 1, 1, 0, 1);
    assertThat(run("Equal", DType.BOOL, floats(0.0), floats(-0.0)).toLongArray()).containsExactly(1);
  }

  @Test
  void anyNumberOfOperands() {
    var a = TestTensors.of(DType.FLOAT32, Shape.of(2, 1), 1, 2);
    var b = floats(10, 20, 30);
    var c = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 100);
    assertThat(TestTensors.doubles(run("Sum", DType.FLOAT32, a, b, c))).containsExactly(111, 121, 131, 112, 122, 132);
    assertThat(TestTensors.doubles(run("Max", DType.FLOAT32, a, b, floats(Double.NaN, 0, 25))))
      .containsExactly(Double.NaN, 20, 30, Double.NaN, 20, 30);
    assertThat(TestTensors.doubles(run("Min", DType.FLOAT32, a))).containsExactly(1, 2);
    assertThat(run("Max", DType.INT64, longs(DType.INT64, 1), longs(DType.INT64, 3), longs(DType.INT64, 2)).longAt(0))
      .isEqualTo(3);
  }

  @Test
  void powersOfMixedTypes() {
    var x = floats(2, -2, 0, 9);
    assertThat(TestTensors.doubles(run("Pow", DType.FLOAT32, x, longs(DType.INT64, 3, 3, 0, -1))))
      .containsExactly(8, -8, 1, (double) (float) (1 / 9.0));
    for (double exponent : new double[] {2, 3, 0.5, -1, 0}) {
      var power = run("Pow", DType.FLOAT32, floats(4, 0.25, -0.0, -INFINITE, INFINITE, Double.NaN),
        TestTensors.of(DType.FLOAT64, Shape.SCALAR, exponent));
      for (int i = 0; i < 6; i++) {
        double base = new double[] {4, 0.25, -0.0, -INFINITE, INFINITE, Double.NaN}[i];
        assertThat(Double.valueOf(power.doubleAt(i))).isEqualTo(Double.valueOf(Math.pow(base, exponent)));
      }
    }
    var whole = longs(DType.INT32, 3, -2, 1, -1, 0);
    assertThat(run("Pow", DType.INT32, whole, longs(DType.INT64, 4, 31, -9, -3, -1)).toLongArray())
      .containsExactly(81, Integer.MIN_VALUE, 1, -1, 0);
    assertThat(run("Pow", DType.INT32, longs(DType.INT32, 9, 2), floats(0.5, -1)).toLongArray()).containsExactly(3, 0);
  }

  @Test
  void logic() {
    var a = longs(DType.BOOL, 0, 0, 1, 1);
    var b = longs(DType.BOOL, 0, 1, 0, 1);
    assertThat(run("And", DType.BOOL, a, b).toLongArray()).containsExactly(0, 0, 0, 1);
    assertThat(run("Or", DType.BOOL, a, b).toLongArray()).containsExactly(0, 1, 1, 1);
    assertThat(run("Equal", DType.BOOL, a, b).toLongArray()).containsExactly(1, 0, 0, 1);
  }

  @ParameterizedTest
  @EnumSource(value = DType.class, from = "FLOAT32", to = "BOOL")
  void whereKeepsEveryBit(DType dtype) {
    var random = new Random(2);
    var condition = TestTensors.random(DType.BOOL, Shape.of(7, 1, 5), random);
    var x = TestTensors.randomBits(dtype, Shape.of(300, 1), random);
    var y = TestTensors.randomBits(dtype, Shape.of(7, 300, 5), random);
    var result = run("Where", dtype, condition, x, y);
    int bytes = dtype.bytes();
    for (long i = 0; i < 7 * 300 * 5; i++) {
      boolean chosen = condition.longAt(i / 1500 * 5 + i % 5) != 0;
      var source = chosen ? x : y;
      long at = chosen ? i / 5 % 300 : i;
      if (source.segment().asSlice(at * bytes, bytes).mismatch(result.segment().asSlice(i * bytes, bytes)) != -1) {
        throw new AssertionError("%s differs: element=%d".formatted(dtype, i));
      }
    }
  }
}
