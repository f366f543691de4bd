package dev.cairn.kernels.cpu;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code Softmax(x)} along one axis: {@code e^(x - max) / sum of e^(x - max)}, which cannot overflow. Where a line
 * holds a NaN or a positive infinity, or nothing but negative ones, its results are NaN.
 */
public final class CpuSoftmax implements Kernel {
  private static final long GRAIN = 1 << 11;

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    Shape shape = x.shape();
    int axis = shape.rank() == 0 ? 0 : shape.axis(call.attributes().getInt("axis", -1));
    long length = shape.rank() == 0 ? 1 : shape.extent(axis);
    long inner = shape.rank() == 0 ? 1 : shape.elementCount(axis + 1, shape.rank());
    CpuStream.of(call).parallel(y.elementCount() / length, Math.max(1, GRAIN / length), (first, end) -> {
      double[] line = new double[Math.toIntExact(length)];
      double[] one = new double[1];
      for (long index = first; index < end; index++) {
        long at = index / inner * length * inner + index % inner;
        for (int i = 0; i < line.length; i++) {
          Elements.read(x, at + i * inner, one, 1);
          line[i] = one[0];
        }
        normalize(line);
        for (int i = 0; i < line.length; i++) {
          one[0] = line[i];
          Elements.write(one, y, at + i * inner, 1);
        }
      }
    });
  }

  private static void normalize(double[] line) {
    double max = Double.NEGATIVE_INFINITY;
    for (double value : line) {
      max = Math.max(max, value);
    }
    double sum = 0;
    for (int i = 0; i < line.length; i++) {
      line[i] = Math.exp(line[i] - max);
      sum += line[i];
    }
    for (int i = 0; i < line.length; i++) {
      line[i] /= sum;
    }
  }
}
