package dev.cairn.kernels.cpu.image;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code GridSample(x, grid)}: images of any number of spatial axes, sampled at positions from -1 to 1 along each axis,
 * the last axis first. Computed in {@code double}; {@code nearest} rounds halves to even.
 */
public final class CpuGridSample implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView grid = call.input(1);
    TensorView y = call.output(0);
    Shape shape = x.shape();
    if (y.elementCount() == 0) {
      return;
    }
    int axes = shape.rank() - 2;
    long channels = shape.extent(1);
    long positions = grid.shape().elementCount(1, axes + 1);
    long plane = shape.elementCount(2, shape.rank());
    CpuStream.of(call).parallel(shape.extent(0) * positions, 64, (first, end) -> {
      var sample = new GridTaps(call.attributes(), shape);
      double[] position = new double[axes];
      for (long item = first; item < end; item++) {
        for (int axis = 0; axis < axes; axis++) {
          position[axis] = grid.doubleAt(item * axes + axes - 1 - axis);
        }
        sample.place(position);
        long image = item / positions;
        for (long channel = 0; channel < channels; channel++) {
          double[] value = {along(sample, x, (image * channels + channel) * plane, 0, 0)};
          write(value, y, (image * channels + channel) * positions + item % positions);
        }
      }
    });
  }

  private static void write(double[] value, TensorView y, long at) {
    if (y.dtype().isFloat()) {
      Elements.write(value, y, at, 1);
    } else {
      Elements.write(new long[] {(long) value[0]}, y, at, 1);
    }
  }

  private static double along(GridTaps taps, TensorView x, long plane, int axis, long before) {
    double sum = 0;
    for (int tap = 0; tap < taps.count(); tap++) {
      long index = taps.index(axis, tap);
      if (index >= 0) {
        long at = before * taps.extent(axis) + index;
        double value = axis == taps.axes() - 1 ? x.doubleAt(plane + at) : along(taps, x, plane, axis + 1, at);
        sum += taps.areNearest() ? value : taps.weight(axis, tap) * value;
      }
    }
    return sum;
  }
}
