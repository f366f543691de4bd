package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * {@code Col2Im(columns, image_shape, block_shape)}: windows put back where they were cut out; where they overlap, they
 * are added.
 */
public final class CpuColumns implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView columns = call.input(0);
    TensorView image = call.output(0);
    Shape shape = image.shape();
    if (shape.elementCount() == 0) {
      return;
    }
    var window = SlidingWindow.of(call.attributes(), shape, call.input(2).toLongArray());
    int windows = Math.toIntExact(columns.shape().extent(2));
    int taps = Math.toIntExact(columns.shape().extent(1) / shape.extent(1));
    CpuStream.of(call).parallel(shape.elementCount(0, 2), 1, (first, end) -> {
      double[] sums = new double[Math.toIntExact(shape.elementCount(2, shape.rank()))];
      double[] column = new double[windows];
      for (long plane = first; plane < end; plane++) {
        Arrays.fill(sums, 0);
        for (int tap = 0; tap < taps; tap++) {
          Elements.read(columns, (plane * taps + tap) * windows, column, windows);
          for (int i = 0; i < windows; i++) {
            int at = place(window, shape, tap, i);
            if (at >= 0) {
              sums[at] += column[i];
            }
          }
        }
        Elements.write(sums, image, plane * sums.length, sums.length);
      }
    });
  }

  /** Where in a plane a tap of a window lies; -1 in padding. */
  private static int place(SlidingWindow window, Shape image, int tap, int index) {
    int at = 0;
    int step = 1;
    int restOfTap = tap;
    int restOfIndex = index;
    for (int axis = window.rank() - 1; axis >= 0; axis--) {
      int extent = Math.toIntExact(image.extent(axis + 2));
      long position = window.start(axis, restOfIndex % window.outputExtent(axis))
        + (long) (restOfTap % window.kernel(axis)) * window.dilation(axis);
      if (position < 0 || position >= extent) {
        return -1;
      }
      at += (int) position * step;
      step *= extent;
      restOfTap /= window.kernel(axis);
      restOfIndex /= window.outputExtent(axis);
    }
    return at;
  }
}
