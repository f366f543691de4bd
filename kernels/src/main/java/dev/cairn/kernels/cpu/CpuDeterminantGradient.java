package dev.cairn.kernels.cpu;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Optional;

/**
 * {@code DetGradient(x, h)}: the gradient of a {@code Det}, whose result has the gradient {@code h}: {@code h} times
 * the cofactors of each matrix. They are the determinant times the transposed inverse, by elimination in {@code
 * double}. Of a matrix that is singular, or nearly so, each cofactor is computed as the determinant of its minor.
 */
public final class CpuDeterminantGradient implements Kernel {
  /** The smallest ratio of two pivots with which the inverse is good enough. */
  private static final double WELL_CONDITIONED = 1e-4;

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView h = call.input(1);
    int rows = Math.toIntExact(x.shape().extent(-1));
    CpuStream.of(call).parallel(h.elementCount(), 1, (first, end) -> {
      double[][] matrix = new double[rows][rows];
      for (long item = first; item < end; item++) {
        for (int row = 0; row < rows; row++) {
          Elements.read(x, (item * rows + row) * rows, matrix[row], rows);
        }
        double[][] cofactors = byInverse(matrix).orElseGet(() -> byMinors(matrix));
        double head = h.doubleAt(item);
        for (int row = 0; row < rows; row++) {
          for (int column = 0; column < rows; column++) {
            cofactors[row][column] *= head;
          }
          Elements.write(cofactors[row], call.output(0), (item * rows + row) * rows, rows);
        }
      }
    });
  }

  /** Empty where a pivot is small beside the greatest. */
  private static Optional<double[][]> byInverse(double[][] matrix) {
    int rows = matrix.length;
    double[][] left = new double[rows][];
    double[][] right = new double[rows][rows];
    for (int row = 0; row < rows; row++) {
      left[row] = matrix[row].clone();
      right[row][row] = 1;
    }
    double determinant = 1;
    double greatest = 0;
    for (int step = 0; step < rows; step++) {
      int found = pivot(left, step);
      determinant *= found == step ? left[found][step] : -left[found][step];
      swap(left, found, step);
      swap(right, found, step);
      double pivot = Math.abs(left[step][step]);
      greatest = Math.max(greatest, pivot);
      if (!(pivot > WELL_CONDITIONED * greatest)) {
        return Optional.empty();
      }
      eliminate(left, right, step);
    }
    double[][] cofactors = new double[rows][rows];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < rows; column++) {
        cofactors[column][row] = determinant * right[row][column];
      }
    }
    return Optional.of(cofactors);
  }

  private static int pivot(double[][] matrix, int step) {
    int pivot = step;
    for (int row = step + 1; row < matrix.length; row++) {
      pivot = Math.abs(matrix[row][step]) > Math.abs(matrix[pivot][step]) ? row : pivot;
    }
    return pivot;
  }

  private static void swap(double[][] matrix, int first, int second) {
    double[] row = matrix[first];
    matrix[first] = matrix[second];
    matrix[second] = row;
  }

  /** Makes the column a unit vector, and does the same to the rows at the right. */
  private static void eliminate(double[][] left, double[][] right, int step) {
    double pivot = left[step][step];
    for (int column = 0; column < left.length; column++) {
      left[step][column] /= pivot;
      right[step][column] /= pivot;
    }
    for (int row = 0; row < left.length; row++) {
      double factor = left[row][step];
      for (int column = 0; row != step && column < left.length; column++) {
        left[row][column] -= factor * left[step][column];
        right[row][column] -= factor * right[step][column];
      }
    }
  }

  private static double[][] byMinors(double[][] matrix) {
    int rows = matrix.length;
    double[][] cofactors = new double[rows][rows];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < rows; column++) {
        double minor = CpuDeterminant.determinant(minor(matrix, row, column));
        cofactors[row][column] = (row + column) % 2 == 0 ? minor : -minor;
      }
    }
    return cofactors;
  }

  /** Without one row and one column. */
  private static double[][] minor(double[][] matrix, int without, int column) {
    int rows = matrix.length - 1;
    double[][] minor = new double[rows][rows];
    for (int row = 0; row < rows; row++) {
      double[] from = matrix[row < without ? row : row + 1];
      System.arraycopy(from, 0, minor[row], 0, column);
      System.arraycopy(from, column + 1, minor[row], column, rows - column);
    }
    return minor;
  }
}
