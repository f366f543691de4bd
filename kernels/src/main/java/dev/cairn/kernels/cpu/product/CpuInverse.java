package dev.cairn.kernels.cpu.product;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code Inverse(x)} of com.microsoft: inverses of square matrices, by elimination in {@code double} with the greatest
 * pivots. The inverse of a singular matrix has infinite elements or NaN.
 */
public final class CpuInverse implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    if (x.elementCount() == 0) {
      return;
    }
    int rows = Math.toIntExact(x.shape().extent(-1));
    CpuStream.of(call).parallel(x.elementCount() / ((long) rows * rows), 1, (first, end) -> {
      for (long item = first; item < end; item++) {
        double[][] matrix = new double[rows][rows];
        for (int row = 0; row < rows; row++) {
          Elements.read(x, (item * rows + row) * rows, matrix[row], rows);
        }
        double[][] inverse = inverse(matrix);
        for (int row = 0; row < rows; row++) {
          Elements.write(inverse[row], call.output(0), (item * rows + row) * rows, rows);
        }
      }
    });
  }

  /** The inverse of a matrix, which is overwritten. */
  private static double[][] inverse(double[][] matrix) {
    int rows = matrix.length;
    double[][] inverse = new double[rows][rows];
    for (int row = 0; row < rows; row++) {
      inverse[row][row] = 1;
    }
    for (int step = 0; step < rows; step++) {
      int pivot = step;
      for (int row = step + 1; row < rows; row++) {
        pivot = Math.abs(matrix[row][step]) > Math.abs(matrix[pivot][step]) ? row : pivot;
      }
      exchange(matrix, pivot, step);
      exchange(inverse, pivot, step);
      double factor = 1 / matrix[step][step];
      scale(matrix[step], factor);
      scale(inverse[step], factor);
      for (int row = 0; row < rows; row++) {
        if (row != step && matrix[row][step] != 0) {
          double times = -matrix[row][step];
          add(times, matrix[step], matrix[row]);
          add(times, inverse[step], inverse[row]);
        }
      }
    }
    return inverse;
  }

  private static void exchange(double[][] lines, int first, int second) {
    double[] line = lines[first];
    lines[first] = lines[second];
    lines[second] = line;
  }

  private static void scale(double[] line, double factor) {
    for (int i = 0; i < line.length; i++) {
      line[i] *= factor;
    }
  }

  private static void add(double factor, double[] line, double[] to) {
    for (int i = 0; i < line.length; i++) {
      to[i] += factor * line[i];
    }
  }
}
