package dev.cairn.kernels.cpu.reduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.ReduceKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CpuReduceTest implements Rounds {

  private static TensorView run(String operator, Attributes attributes, Shape output, TensorView x,
    @Nullable TensorView axes) {
    long length = Math.max(1, x.elementCount() / Math.max(1, output.elementCount()));
    return KernelRunner
      .checkTwins(ReduceKernels.ROWS, operator, attributes, List.of(new TensorType(x.dtype(), output)), length, x, axes)
      .getFirst();
  }

  /** The sum (or mean) over the chosen axes, index by index. */
  private static double[] naive(TensorView x, boolean[] chosen, boolean mean) {
    Shape shape = x.shape();
    long outputs = 1;
    for (int axis = 0; axis < shape.rank(); axis++) {
      outputs *= chosen[axis] ? 1 : shape.extent(axis);
    }
    double[] sums = new double[(int) outputs];
    for (long i = 0; i < x.elementCount(); i++) {
      long rest = i;
      long into = 0;
      long stride = 1;
      for (int axis = shape.rank() - 1; axis >= 0; axis--) {
        long position = rest % shape.extent(axis);
        rest /= shape.extent(axis);
        into += chosen[axis] ? 0 : position * stride;
        stride *= chosen[axis] ? 1 : shape.extent(axis);
      }
      sums[(int) into] += x.doubleAt(i);
    }
    double divisor = mean ? (double) x.elementCount() / outputs : 1;
    return Arrays.stream(sums).map(sum -> sum / divisor).toArray();
  }

  @Test
  void randomAxesAgreeWithTheNaiveSum() {
    var random = new Random(21);
    for (int round = 0; round < rounds(300); round++) {
      Shape shape = Shape.of(random.longs(random.nextInt(1, 5), 1, random.nextInt(2, 24)).toArray());
      boolean[] chosen = new boolean[shape.rank()];
      long[] kept = shape.extents();
      for (int axis = 0; axis < chosen.length; axis++) {
        chosen[axis] = random.nextBoolean();
        kept[axis] = chosen[axis] ? 1 : kept[axis];
      }
      long[] axes = IntStream.range(0, chosen.length).filter(axis -> chosen[axis])
        .mapToLong(axis -> random.nextBoolean() ? axis : axis - shape.rank()).toArray();
      var attributes = Attributes.NONE.with("noop_with_empty_axes", 1);
      DType dtype = List.of(DType.FLOAT32, DType.FLOAT64).get(round % 2);
      var x = TestTensors.random(dtype, shape, random);
      boolean mean = random.nextBoolean();
      var y = run(mean ? "ReduceMean" : "ReduceSum", attributes, Shape.of(kept), x, TestTensors.int64s(axes));
      double[] expected = naive(x, chosen, mean);
      Tolerance.of(dtype, shape.elementCount() / expected.length).check("round " + round, expected, y);
    }
  }

  @Test
  void everyLengthAndHalfType() {
    for (long length : some(0L, 1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1000, 4097, 100_003)) {
      everyHalfType(length);
    }
  }

  private static void everyHalfType(long length) {
    var random = new Random(22);
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      for (String operator : List.of("ReduceSum", "ReduceMean")) {
        var rows = TestTensors.random(dtype, Shape.of(3, length), random);
        run(operator, Attributes.NONE, Shape.of(3, 1), rows, TestTensors.int64s(1));
        run(operator, Attributes.NONE, Shape.of(1, 1), rows, null);
        var columns = TestTensors.random(dtype, Shape.of(2, 5, length), random);
        run(operator, Attributes.NONE, Shape.of(2, 1, length), columns, TestTensors.int64s(-2));
      }
    }
  }

  @Test
  void withoutAxesAllOrNone() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(2, 2), 1, 2, 3, 4);
    assertThat(run("ReduceSum", Attributes.NONE, Shape.of(1, 1), x, null).doubleAt(0)).isEqualTo(10);
    assertThat(run("ReduceMean", Attributes.NONE, Shape.SCALAR, x, TestTensors.int64s()).doubleAt(0)).isEqualTo(2.5);
    var noop = Attributes.NONE.with("noop_with_empty_axes", 1);
    assertThat(TestTensors.doubles(run("ReduceSum", noop, Shape.of(2, 2), x, null))).containsExactly(1, 2, 3, 4);
    var scalar = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 5);
    assertThat(run("ReduceMean", Attributes.NONE, Shape.SCALAR, scalar, null).doubleAt(0)).isEqualTo(5);
  }

  @Test
  void aWrongAxisIsRefused() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(2), 1, 2);
    assertThatThrownBy(() -> run("ReduceSum", Attributes.NONE, Shape.of(1), x, TestTensors.int64s(1)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("axis=1");
  }

  @ParameterizedTest
  @EnumSource(value = DType.class, from = "FLOAT32", to = "UINT64")
  void everyTypeAndReduction(DType dtype) {
    var x = TestTensors.of(dtype, Shape.of(2, 3), 1, 5, 3, 2, 4, 0);
    var axes = TestTensors.int64s(1);
    var rows = Shape.of(2);
    assertThat(TestTensors.doubles(run("ReduceSum", Attributes.NONE, rows, x, axes))).containsExactly(9, 6);
    assertThat(TestTensors.doubles(run("ReduceMean", Attributes.NONE, rows, x, axes))).containsExactly(3, 2);
    assertThat(TestTensors.doubles(run("ReduceProd", Attributes.NONE, rows, x, axes))).containsExactly(15, 0);
    assertThat(TestTensors.doubles(run("ReduceMax", Attributes.NONE, rows, x, axes))).containsExactly(5, 4);
    assertThat(TestTensors.doubles(run("ReduceMin", Attributes.NONE, rows, x, axes))).containsExactly(1, 0);
    assertThat(TestTensors.doubles(run("ReduceMin", Attributes.NONE, Shape.of(3), x, TestTensors.int64s(0))))
      .containsExactly(1, 4, 0);
  }

  @Test
  void reducingNothing() {
    double infinite = Double.POSITIVE_INFINITY;
    var reals = TestTensors.zeros(TensorType.of(DType.FLOAT32, 2, 0));
    var axes = TestTensors.int64s(1);
    assertThat(TestTensors.doubles(run("ReduceSum", Attributes.NONE, Shape.of(2), reals, axes))).containsOnly(0);
    assertThat(TestTensors.doubles(run("ReduceProd", Attributes.NONE, Shape.of(2), reals, axes))).containsOnly(1);
    assertThat(TestTensors.doubles(run("ReduceMean", Attributes.NONE, Shape.of(2), reals, axes)))
      .containsOnly(Double.NaN);
    assertThat(TestTensors.doubles(run("ReduceMax", Attributes.NONE, Shape.of(2), reals, axes)))
      .containsOnly(-infinite);
    assertThat(TestTensors.doubles(run("ReduceMin", Attributes.NONE, Shape.of(2), reals, axes))).containsOnly(infinite);
    assertThat(leastAndMost(DType.INT8)).containsExactly(-128, 127);
    assertThat(leastAndMost(DType.INT32)).containsExactly(Integer.MIN_VALUE, Integer.MAX_VALUE);
    assertThat(leastAndMost(DType.INT64)).containsExactly(Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(leastAndMost(DType.UINT16)).containsExactly(0, 65535);
    assertThat(leastAndMost(DType.UINT32)).containsExactly(0, 0xffff_ffffL);
    assertThat(leastAndMost(DType.UINT64)).containsExactly(0, -1);
    assertThat(leastAndMost(DType.BOOL)).containsExactly(0, 1);
  }

  private static long[] leastAndMost(DType dtype) {
    var none = TestTensors.zeros(TensorType.of(dtype, 0));
    return new long[] {run("ReduceMax", Attributes.NONE, Shape.SCALAR, none, null).longAt(0),
      run("ReduceMin", Attributes.NONE, Shape.SCALAR, none, null).longAt(0)};
  }

  @Test
  void notANumberWinsAndLargeUnsignedIsLarge() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(3), 1, Double.NaN, 2);
    assertThat(run("ReduceMax", Attributes.NONE, Shape.SCALAR, x, null).doubleAt(0)).isNaN();
    assertThat(run("ReduceSum", Attributes.NONE, Shape.SCALAR, x, null).doubleAt(0)).isNaN();
    var large = TestTensors.ofLongs(DType.UINT64, Shape.of(3), 1, -1, 5);
    assertThat(run("ReduceMax", Attributes.NONE, Shape.SCALAR, large, null).longAt(0)).isEqualTo(-1);
    assertThat(run("ReduceMin", Attributes.NONE, Shape.SCALAR, large, null).longAt(0)).isEqualTo(1);
    var whole = TestTensors.ofLongs(DType.INT32, Shape.of(2), -3, 0);
    assertThat(run("ReduceMean", Attributes.NONE, Shape.SCALAR, whole, null).longAt(0)).isEqualTo(-1);
    var wrap = TestTensors.ofLongs(DType.INT8, Shape.of(2), 100, 100);
    assertThat(run("ReduceSum", Attributes.NONE, Shape.SCALAR, wrap, null).longAt(0)).isEqualTo(-56);
  }
}
