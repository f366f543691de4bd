package dev.cairn.kernels.cpu.reduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.MovedElements;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code CumSum}, {@code Trilu}, {@code Shape} and {@code Size}. */
class CpuCumulativeTest implements Rounds {

  @Test
  void sumsByHand() {
    var x = TestTensors.ofLongs(DType.INT32, Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    assertThat(sum(x, 1, false, false).toLongArray()).containsExactly(1, 3, 6, 4, 9, 15);
    assertThat(sum(x, -1, true, false).toLongArray()).containsExactly(0, 1, 3, 0, 4, 9);
    assertThat(sum(x, 1, false, true).toLongArray()).containsExactly(6, 5, 3, 15, 11, 6);
    assertThat(sum(x, 1, true, true).toLongArray()).containsExactly(5, 3, 0, 11, 6, 0);
    assertThat(sum(x, 0, false, false).toLongArray()).containsExactly(1, 2, 3, 5, 7, 9);
  }

  @ParameterizedTest
  @EnumSource(value = DType.class, from = "FLOAT32", to = "UINT64")
  void randomSums(DType dtype) {
    var random = new Random(31);
    for (Shape shape : new Shape[] {Shape.of(1), Shape.of(7), Shape.of(3, 4, 5), Shape.of(2, 30, 100), Shape.of(0, 3),
      Shape.of(5, 401)}) {
      for (int round = 0; round < rounds(6); round++) {
        int axis = random.nextInt(shape.rank());
        checkSum(TestTensors.random(dtype, shape, random), axis, random.nextBoolean(), random.nextBoolean());
      }
    }
  }

  @Test
  void wholeNumbersWrapAndInfinitiesMeetAsNaN() {
    var bytes = TestTensors.ofLongs(DType.INT8, Shape.of(3), 100, 100, 100);
    assertThat(sum(bytes, 0, false, false).toLongArray()).containsExactly(100, -56, 44);
    double inf = Double.POSITIVE_INFINITY;
    var x = TestTensors.of(DType.FLOAT32, Shape.of(4), 1, inf, -inf, 2);
    assertThat(TestTensors.doubles(sum(x, 0, false, false))).containsExactly(1, inf, Double.NaN, Double.NaN);
  }

  @Test
  void anAxisThatIsNotThereIsRefused() {
    var x = TestTensors.ofLongs(DType.INT32, Shape.of(3), 1, 2, 3);
    assertThatThrownBy(() -> sum(x, 1, false, false)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("axis=1");
    assertThatThrownBy(() -> sum(x, 1L << 32, false, false)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("axis=4294967296");
  }

  @Test
  void trianglesAreKept() {
    for (Shape shape : new Shape[] {Shape.of(1, 1), Shape.of(3, 5), Shape.of(5, 3), Shape.of(2, 4, 4), Shape.of(0, 3),
      Shape.of(3, 0), Shape.of(2, 200, 150)}) {
      for (long k : new long[] {0, 1, -1, 2, -3, 100, -100, Long.MAX_VALUE, Long.MIN_VALUE}) {
        triangle(shape, k, true);
        triangle(shape, k, false);
      }
    }
    MovedElements.check("Trilu", Attributes.NONE, Shape.of(3, 3), Shape.of(3, 3), i -> i[1] >= i[0] ? i : null);
    var x = TestTensors.counting(DType.INT32, Shape.of(3));
    assertThatThrownBy(() -> MovedElements.run("Trilu", Attributes.NONE, x.type(), x)).hasMessageContaining("matrices");
  }

  @Test
  void extentsAreNumbers() {
    var x = TestTensors.zeros(TensorType.of(DType.BOOL, 2, 0, 4));
    assertThat(extents(x, Attributes.NONE, 3)).containsExactly(2, 0, 4);
    assertThat(extents(x, Attributes.NONE.with("start", -1), 1)).containsExactly(4);
    assertThat(extents(x, Attributes.NONE.with("start", 1).with("end", -1), 1)).containsExactly(0);
    assertThat(extents(x, Attributes.NONE.with("start", -9).with("end", 9), 3)).containsExactly(2, 0, 4);
    assertThat(extents(x, Attributes.NONE.with("start", 2).with("end", 1), 0)).isEmpty();
    assertThatThrownBy(() -> extents(x, Attributes.NONE, 2)).isInstanceOf(IllegalArgumentException.class);
    var count = TensorType.of(DType.INT64);
    assertThat(MovedElements.run("Size", Attributes.NONE, count, x).longAt(0)).isZero();
    var y = TestTensors.zeros(TensorType.of(DType.FLOAT16, 3, 5));
    assertThat(MovedElements.run("Size", Attributes.NONE, count, y).longAt(0)).isEqualTo(15);
  }

  private static long[] extents(TensorView x, Attributes attributes, long count) {
    return MovedElements.run("Shape", attributes, TensorType.of(DType.INT64, count), x).toLongArray();
  }

  private static void triangle(Shape shape, long k, boolean upper) {
    int row = shape.rank() - 2;
    // Extents are small: a clamped k selects the same and does not overflow.
    long near = Math.clamp(k, -1000, 1000);
    MovedElements.check("Trilu", Attributes.NONE.with("upper", upper ? 1 : 0), shape, shape, i -> {
      long diagonal = i[row + 1] - i[row];
      return (upper ? diagonal >= near : diagonal <= near) ? i : null;
    }, TestTensors.ofLongs(DType.INT64, Shape.SCALAR, k));
  }

  private static TensorView sum(TensorView x, long axis, boolean exclusive, boolean reverse) {
    var attributes = Attributes.NONE.with("exclusive", exclusive ? 1 : 0).with("reverse", reverse ? 1 : 0);
    return MovedElements.run("CumSum", attributes, x.type(), x, TestTensors.ofLongs(DType.INT64, Shape.SCALAR, axis));
  }

  /** Each element is summed anew from the terms before it. */
  private static void checkSum(TensorView x, int axis, boolean exclusive, boolean reverse) {
    TensorView actual = sum(x, axis, exclusive, reverse);
    TensorView expected = TestTensors.zeros(x.type());
    long extent = x.shape().extent(axis);
    for (long i = 0; i < x.elementCount(); i++) {
      long[] index = MovedElements.index(i, x.shape());
      long here = index[axis];
      double sum = 0;
      for (long term = 0; term < extent; term++) {
        if (reverse ? term > here : term < here) {
          index[axis] = term;
          sum += x.doubleAt(MovedElements.flat(index, x.shape()));
        }
      }
      TestTensors.set(expected, i, exclusive ? sum : sum + x.doubleAt(i));
    }
    Tolerance.of(x.dtype(), extent).times(Math.sqrt((double) extent)).check("CumSum of " + x.type(), expected, actual);
  }
}
