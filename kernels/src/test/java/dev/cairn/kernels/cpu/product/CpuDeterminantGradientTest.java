package dev.cairn.kernels.cpu.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.ByHand;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Cofactors of regular and of singular matrices. */
class CpuDeterminantGradientTest {
  private static double[] gradient(double[] matrices, int count, int rows, double... heads) {
    TensorView x = TestTensors.of(DType.FLOAT64, Shape.of(count, rows, rows), matrices);
    return TestTensors.doubles(ByHand.run("DetGradient", Attributes.NONE, x.type(), x, TestTensors.of(DType.FLOAT64,
      Shape.of(count), heads)));
  }

  private static double determinant(double[] matrix, int rows) {
    return TestTensors.doubles(ByHand.run("Det", Attributes.NONE, TensorType.of(DType.FLOAT64, 1), TestTensors.of(
      DType.FLOAT64, Shape.of(1, rows, rows), matrix)))[0];
  }

  private static double[] minor(double[] matrix, int rows, int row, int column) {
    double[] minor = new double[(rows - 1) * (rows - 1)];
    int at = 0;
    for (int i = 0; i < rows * rows; i++) {
      if (i / rows != row && i % rows != column) {
        minor[at++] = matrix[i];
      }
    }
    return minor;
  }

  /** A product of whole numbers, of this rank at most. */
  private static double[] matrix(Random random, int rows, int rank) {
    double[] matrix = new double[rows * rows];
    for (int i = 0; i < rank; i++) {
      double[] left = random.ints(rows, -3, 4).asDoubleStream().toArray();
      double[] right = random.ints(rows, -3, 4).asDoubleStream().toArray();
      for (int at = 0; at < matrix.length; at++) {
        matrix[at] += left[at / rows] * right[at % rows];
      }
    }
    return matrix;
  }

  @Test
  void areDeterminantsOfMinorsWhateverTheRank() {
    var random = new Random(3);
    for (int rows = 1; rows <= 6; rows++) {
      for (int rank = 0; rank <= rows; rank++) {
        double[] matrix = matrix(random, rows, rank);
        double[] found = gradient(matrix, 1, rows, -2);
        for (int i = 0; i < found.length; i++) {
          double minor = determinant(minor(matrix, rows, i / rows, i % rows), rows - 1);
          double expected = -2 * ((i / rows + i % rows) % 2 == 0 ? minor : -minor);
          assertThat(found[i]).as("%s at %d", Arrays.toString(matrix), i).isCloseTo(expected, within(1e-9 * Math.max(1,
            Math.abs(expected))));
        }
      }
    }
  }

  /**
   * The pivots of a covariance of many rows fall by many powers of ten. With an elimination for each element this test
   * would take hours.
   */
  @Test
  void ofManyRowsWithSmallPivots() {
    int rows = 256;
    double[] matrix = new double[rows * rows];
    for (int i = 0; i < rows; i++) {
      matrix[i * rows + (i + 1) % rows] = Math.pow(10, i % 16 - 8);
    }
    double[] found = gradient(matrix, 1, rows, 1);
    double determinant = -1e-128;
    for (int i = 0; i < rows; i++) {
      double expected = determinant / matrix[i * rows + (i + 1) % rows];
      assertThat(found[i * rows + (i + 1) % rows] / expected).isCloseTo(1, within(1e-9));
    }
    assertThat(Arrays.stream(found).filter(it -> it != 0).count()).isEqualTo(rows);
  }

  @Test
  void ofSeveralMatricesAndOfNan() {
    double[] found = gradient(new double[] {1, 2, 3, 4, Double.NaN, 0, 0, 2, 0, 0, 0, 0}, 3, 2, 10, 1, 1);
    assertThat(Arrays.copyOf(found, 4)).containsExactly(new double[] {40, -30, -20, 10}, within(1e-12));
    assertThat(found[7]).isNaN();
    assertThat(Arrays.copyOfRange(found, 8, 12)).containsOnly(0);
  }
}
