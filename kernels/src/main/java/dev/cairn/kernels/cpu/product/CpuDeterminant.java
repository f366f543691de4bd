package dev.cairn.kernels.cpu.product;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/** {@code Det(x)}: determinants of square matrices, by elimination in {@code double} with the greatest pivots. */
public final class CpuDeterminant implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    int rows = Math.toIntExact(x.shape().extent(-1));
    CpuStream.of(call).parallel(y.elementCount(), 1, (first, end) -> {
      double[][] matrix = new double[rows][rows];
      for (long item = first; item < end; item++) {
        for (int row = 0; row < rows; row++) {
          Elements.read(x, (item * rows + row) * rows, matrix[row], rows);
        }
        Elements.write(new double[] {determinant(matrix)}, y, item, 1);
      }
    });
  }

  /** The determinant of a matrix, which is overwritten. */
  static double determinant(double[][] matrix) {
    double product = 1;
    for (int step = 0; step < matrix.length; step++) {
      int pivot = step;
      for (int row = step + 1; row < matrix.length; row++) {
        pivot = Math.abs(matrix[row][step]) > Math.abs(matrix[pivot][step]) ? row : pivot;
      }
      double[] line = matrix[pivot];
      matrix[pivot] = matrix[step];
      matrix[step] = line;
      product *= pivot == step ? line[step] : -line[step];
      for (int row = step + 1; line[step] != 0 && row < matrix.length; row++) {
        double factor = matrix[row][step] / line[step];
        for (int column = step + 1; column < matrix.length; column++) {
          matrix[row][column] -= factor * line[column];
        }
      }
    }
    return product;
  }
}
