package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.attribute.ConvolutionForm;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;

/**
 * {@code ConvTranspose(x, w, bias?)} over any number of spatial axes, in {@code double}: each input spreads over a
 * window of outputs.
 */
public final class CpuConvTranspose implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView w = call.input(1);
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    var window = TransposedWindow.of(call.attributes(), x.shape(), w.shape());
    int groups = ConvolutionForm.of(call.attributes()).groups();
    long channels = y.shape().extent(1);
    long inputs = x.shape().extent(1) / groups;
    long outputs = channels / groups;
    int taps = Math.toIntExact(w.shape().elementCount(2, w.shape().rank()));
    int[][] places = places(window.axes(), taps);
    CpuStream.of(call).parallel(y.shape().extent(0) * channels, 1, (first, end) -> {
      double[] plane = new double[planeSize(x.shape())];
      double[] sums = new double[planeSize(y.shape())];
      double[] weights = new double[taps];
      var spread = new Spread(window.axes(), plane, sums);
      for (long item = first; item < end; item++) {
        long image = item / channels;
        long channel = item % channels;
        Arrays.fill(sums, call.has(2) ? call.input(2).doubleAt(channel) : 0);
        for (long c = channel / outputs * inputs; c < (channel / outputs + 1) * inputs; c++) {
          Elements.read(x, (image * inputs * groups + c) * plane.length, plane, plane.length);
          Elements.read(w, (c * outputs + channel % outputs) * taps, weights, taps);
          for (int tap = 0; tap < taps; tap++) {
            spread.add(0, places[tap], weights[tap], 0, 0);
          }
        }
        Elements.write(sums, y, item * sums.length, sums.length);
      }
    });
  }

  private static int planeSize(Shape shape) {
    return Math.toIntExact(shape.elementCount(2, shape.rank()));
  }

  /** By tap in row-major order, its index along each axis. */
  private static int[][] places(List<TransposedWindow.Axis> axes, int taps) {
    int[][] places = new int[taps][axes.size()];
    for (int tap = 0; tap < taps; tap++) {
      int rest = tap;
      for (int axis = axes.size() - 1; axis >= 0; axis--) {
        places[tap][axis] = rest % axes.get(axis).kernel();
        rest /= axes.get(axis).kernel();
      }
    }
    return places;
  }

  /** Adds what one tap makes of a plane to a plane of sums. */
  private static final class Spread {
    private final List<TransposedWindow.Axis> axes;
    private final double[] plane;
    private final double[] sums;

    Spread(List<TransposedWindow.Axis> axes, double[] plane, double[] sums) {
      this.axes = axes;
      this.plane = plane;
      this.sums = sums;
    }

    /** @param from the line of the plane, and {@code to} that of the sums, along all axes before this one */
    void add(int axis, int[] tap, double weight, int from, int to) {
      TransposedWindow.Axis along = axes.get(axis);
      int first = along.firstInput(tap[axis]);
      int end = along.endInput(tap[axis]);
      if (axis < axes.size() - 1) {
        for (int i = first; i < end; i++) {
          add(axis + 1, tap, weight, from * along.input() + i, to * along.output() + along.at(i, tap[axis]));
        }
        return;
      }
      int at = to * along.output() + (first < end ? along.at(first, tap[axis]) : 0);
      for (int i = first; i < end; i++) {
        sums[at] += weight * plane[from * along.input() + i];
        at += along.stride();
      }
    }
  }
}
