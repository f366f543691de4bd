package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
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
    var lines = new WindowLines(SlidingWindow.of(call.attributes(), shape, call.input(2).toLongArray()), shape);
    CpuStream.of(call).parallel(shape.elementCount(0, 2), 1, (first, end) -> {
      double[] sums = new double[Math.toIntExact(shape.elementCount(2, shape.rank()))];
      double[] column = new double[lines.outputs()];
      for (long plane = first; plane < end; plane++) {
        Arrays.fill(sums, 0);
        for (int tap = 0; tap < lines.taps(); tap++) {
          Elements.read(columns, (plane * lines.taps() + tap) * column.length, column, column.length);
          add(column, tap, lines, sums);
        }
        Elements.write(sums, image, plane * sums.length, sums.length);
      }
    });
  }

  /** Adds what one tap of all windows holds to the plane that they were cut out of. */
  private static void add(double[] column, int tap, WindowLines lines, double[] plane) {
    int inner = tap % lines.innerTaps();
    for (int line = 0; line < lines.lines(); line++) {
      int from = lines.inputLine(tap / lines.innerTaps(), line);
      if (from < 0) {
        continue;
      }
      for (int i = lines.firstOutput(inner); i < lines.endOutput(inner); i++) {
        plane[(int) (from + lines.innerStart(inner) + (long) i * lines.stride())] += column[line * lines.width() + i];
      }
    }
  }
}
