package dev.cairn.kernels.cpu.product;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * {@code DetGradient(x, h)}: the gradient of a {@code Det}, whose result has the gradient {@code h}: {@code h} times
 * the cofactors of each matrix. Steps of elimination with the greatest pivots, by rows and by columns, make the matrix
 * diagonal: {@code D = R·A·C}. Then the adjugate of {@code A} is {@code C·adj(D)·R}, up to its sign, and an element of
 * {@code adj(D)} is a product of the other pivots. So nothing is divided by a determinant, and singular matrices need
 * no other way. Computed in {@code double}.
 */
public final class CpuDeterminantGradient implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView h = call.input(1);
    int rows = Math.toIntExact(x.shape().extent(-1));
    CpuStream.of(call).parallel(h.elementCount(), 1, (first, end) -> {
      for (long item = first; item < end; item++) {
        double[][] matrix = new double[rows][rows];
        for (int row = 0; row < rows; row++) {
          Elements.read(x, (item * rows + row) * rows, matrix[row], rows);
        }
        var diagonal = new Diagonal(matrix);
        double head = h.doubleAt(item);
        for (int row = 0; row < rows; row++) {
          Elements.write(diagonal.cofactors(row, head), call.output(0), (item * rows + row) * rows, rows);
        }
      }
    });
  }

  /** A matrix, made diagonal. */
  private static final class Diagonal {
    private final double[][] matrix;
    /** {@code R}. */
    private final double[][] left;
    /** The transpose of {@code C}. */
    private final double[][] right;
    /** For each pivot, the product of the other pivots, with the sign of all exchanges. */
    private final double[] others;

    /** @param matrix is overwritten */
    Diagonal(double[][] matrix) {
      int rows = matrix.length;
      this.matrix = matrix;
      this.left = identity(rows);
      this.right = identity(rows);
      this.others = new double[rows];
      double sign = 1;
      for (int step = 0; step < rows; step++) {
        sign *= movePivot(step);
        if (matrix[step][step] == 0) {
          break;
        }
        eliminate(step);
      }
      Arrays.fill(others, sign);
      int[] exponents = new int[rows];
      multiplyOthers(exponents, true);
      multiplyOthers(exponents, false);
      Arrays.setAll(others, i -> Math.scalb(others[i], exponents[i]));
    }

    private static double[][] identity(int rows) {
      double[][] identity = new double[rows][rows];
      for (int row = 0; row < rows; row++) {
        identity[row][row] = 1;
      }
      return identity;
    }

    /** Moves the greatest number that is left, or one that is NaN, to the diagonal. */
    private double movePivot(int step) {
      int row = step;
      int column = step;
      for (int i = step; i < matrix.length; i++) {
        for (int j = step; j < matrix.length; j++) {
          if (Math.abs(matrix[i][j]) > Math.abs(matrix[row][column]) || Double.isNaN(matrix[i][j])) {
            row = i;
            column = j;
          }
        }
      }
      exchange(matrix, row, step);
      exchange(left, row, step);
      exchange(right, column, step);
      for (double[] line : matrix) {
        double number = line[column];
        line[column] = line[step];
        line[step] = number;
      }
      return (row == step) == (column == step) ? 1 : -1;
    }

    private static void exchange(double[][] lines, int first, int second) {
      double[] line = lines[first];
      lines[first] = lines[second];
      lines[second] = line;
    }

    /** Makes the pivot the only number of its row and its column. */
    private void eliminate(int step) {
      double pivot = matrix[step][step];
      for (int i = step + 1; i < matrix.length; i++) {
        double ofRow = matrix[i][step] / pivot;
        add(-ofRow, matrix[step], matrix[i], step);
        add(-ofRow, left[step], left[i], 0);
        add(-matrix[step][i] / pivot, right[step], right[i], 0);
      }
    }

    private static void add(double factor, double[] line, double[] to, int first) {
      for (int i = first; i < line.length; i++) {
        to[i] += factor * line[i];
      }
    }

    /** Multiplies each with the pivots before it, in one direction; exponents apart, as products of many overflow. */
    private void multiplyOthers(int[] exponents, boolean isForward) {
      double product = 1;
      int exponent = 0;
      for (int i = 0; i < others.length; i++) {
        int at = isForward ? i : others.length - 1 - i;
        others[at] *= product;
        exponents[at] += exponent;
        double pivot = matrix[at][at];
        product *= Math.scalb(pivot, -Math.getExponent(pivot));
        exponent += Math.getExponent(pivot) + Math.getExponent(product);
        product = Math.scalb(product, -Math.getExponent(product));
      }
    }

    /** A row of cofactors, times a factor. */
    double[] cofactors(int row, double factor) {
      double[] sums = new double[others.length];
      for (int i = 0; i < others.length; i++) {
        add(others[i] * left[i][row] * factor, right[i], sums, 0);
      }
      return sums;
    }
  }
}
