package dev.cairn.kernels.cpu.reduction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.ReduceKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class CpuSoftmaxTest implements Rounds {

  private static TensorView run(TensorView x, int axis) {
    var attributes = Attributes.NONE.with("axis", axis);
    return KernelRunner.checkTwins(ReduceKernels.ROWS, "Softmax", attributes, List.of(x.type()), 8, x).getFirst();
  }

  @Test
  void byHand() {
    var x = TestTensors.of(DType.FLOAT64, Shape.of(2, 2), 0, Math.log(3), 1000, 1000);
    Tolerance.of(DType.FLOAT64, 8).check("rows", new double[] {0.25, 0.75, 0.5, 0.5}, run(x, 1));
    Tolerance.of(DType.FLOAT64, 8).check("columns", new double[] {0, 0, 1, 1}, run(x, 0));
  }

  @Test
  void masksGiveExactlyZero() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(4), 1, Double.NEGATIVE_INFINITY, 1, -1e30);
    assertThat(TestTensors.doubles(run(x, -1))).containsExactly(0.5, 0, 0.5, 0);
    var y = KernelRunner.checkTwins(KernelRunner.portable(ReduceKernels.ROWS), "Softmax", Attributes.NONE,
      List.of(x.type()), 1, x).getFirst();
    assertThat(TestTensors.doubles(y)).containsExactly(0.5, 0, 0.5, 0);
  }

  @Test
  void whatHasNoSoftmaxIsNotANumber() {
    double infinite = Double.POSITIVE_INFINITY;
    for (double[] line : new double[][] {{1, Double.NaN, 2}, {1, infinite, 2}, {-infinite, -infinite, -infinite}}) {
      assertThat(run(TestTensors.of(DType.FLOAT32, Shape.of(3), line), 0).doubleAt(1)).isNaN();
    }
  }

  @Test
  void everyLengthAndType() {
    for (long length : some(0L, 1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1000, 4097)) {
      everyType(length);
    }
  }

  private static void everyType(long length) {
    var random = new Random(31);
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16)) {
      var x = TestTensors.random(dtype, Shape.of(5, length, 1), random);
      run(x, 1);
      run(x, 0);
      run(x, -1);
    }
  }

  /** Lines beside each other are computed in other loops than lines behind each other. */
  @Test
  void everyAxisOfRandomShapes() {
    var random = new Random(33);
    double infinite = Double.POSITIVE_INFINITY;
    double[] rare = {infinite, -infinite, Double.NaN, -0.0, 1e30, -1e30};
    for (int round = 0; round < rounds(100); round++) {
      Shape shape = Shape.of(random.longs(random.nextInt(1, 4), 1, random.nextInt(2, 50)).toArray());
      var x = TestTensors.random(List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16).get(round % 3), shape, random);
      for (int i = 0; round % 2 == 0 && i < 5; i++) {
        TestTensors.set(x, random.nextLong(x.elementCount()), rare[random.nextInt(rare.length)]);
      }
      var attributes = Attributes.NONE.with("axis", random.nextInt(shape.rank()));
      for (String operator : List.of("Softmax", "LogSoftmax")) {
        KernelRunner.checkTwins(ReduceKernels.ROWS, operator, attributes, List.of(x.type()), 64, x);
      }
    }
  }

  /** Every line sums to one, along whichever axis. */
  @Test
  void linesSumToOne() {
    var x = TestTensors.random(DType.FLOAT64, Shape.of(3, 4, 5), new Random(32));
    for (int axis = 0; axis < 3; axis++) {
      var y = run(x, axis);
      long inner = x.shape().elementCount(axis + 1, 3);
      long extent = x.shape().extent(axis);
      for (long line = 0; line < 60 / extent; line++) {
        double sum = 0;
        for (long i = 0; i < extent; i++) {
          sum += y.doubleAt(line / inner * extent * inner + line % inner + i * inner);
        }
        assertThat(sum).isCloseTo(1, Offset.offset(1e-15 * 8));
      }
    }
  }
}
