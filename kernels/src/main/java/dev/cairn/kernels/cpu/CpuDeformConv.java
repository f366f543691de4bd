package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code DeformConv(x, w, offset, bias?, mask?)} of images: a convolution whose taps are moved by offsets, two for each
 * tap and result, and multiplied with a mask. Between elements, a tap mixes the four around it; outside are zeros.
 */
public final class CpuDeformConv implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    var taps = new Taps(call);
    int positions = Math.toIntExact(y.shape().elementCount(2, 4));
    int outputs = taps.groups.outputs();
    CpuStream.of(call).parallel((long) taps.groups.batch() * positions, 1, (first, end) -> {
      double[] column = new double[taps.depth * taps.groups.groups()];
      for (long item = first; item < end; item++) {
        int position = (int) (item % positions);
        taps.read(item / positions, position, column);
        for (int output = 0; output < outputs; output++) {
          double sum = taps.product(output, column);
          Elements.write(new double[] {sum}, y, (item / positions * outputs + output) * positions + position, 1);
        }
      }
    });
  }

  /** What all results of a call have in common. */
  private static final class Taps {
    final ConvolutionGroups groups;
    final int depth;
    private final KernelCall call;
    private final SlidingWindow window;
    private final int offsetGroups;
    private final int height;
    private final int width;
    private final double[] weights;

    Taps(KernelCall call) {
      this.call = call;
      TensorView x = call.input(0);
      TensorView w = call.input(1);
      this.window = SlidingWindow.ofWeights(call.attributes(), x.shape(), w.shape());
      this.groups = ConvolutionGroups.of(call.attributes(), x.shape(), w.shape());
      this.offsetGroups = call.attributes().getInt("offset_group", 1);
      this.height = Math.toIntExact(x.shape().extent(2));
      this.width = Math.toIntExact(x.shape().extent(3));
      this.weights = new double[Math.toIntExact(w.elementCount())];
      Elements.read(w, 0, weights, weights.length);
      this.depth = groups.inputsPerGroup() * taps();
    }

    private int taps() {
      return window.kernel(0) * window.kernel(1);
    }

    double product(int output, double[] column) {
      double sum = call.has(3) ? call.input(3).doubleAt(output) : 0;
      int from = output / groups.outputsPerGroup() * depth;
      for (int i = 0; i < depth; i++) {
        sum += weights[output * depth + i] * column[from + i];
      }
      return sum;
    }

    /** Reads what lies under all taps of all channels. */
    void read(long image, int position, double[] column) {
      int channels = groups.inputsPerGroup() * groups.groups();
      int positions = window.outputExtent(0) * window.outputExtent(1);
      int row = position / window.outputExtent(1);
      int line = position % window.outputExtent(1);
      for (int group = 0; group < offsetGroups; group++) {
        for (int tap = 0; tap < taps(); tap++) {
          long index = (image * offsetGroups + group) * taps() + tap;
          double y = window.start(0, row) + tap / window.kernel(1) * window.dilation(0) + call.input(2).doubleAt(2
            * index * positions + position);
          double x = window.start(1, line) + tap % window.kernel(1) * window.dilation(1) + call.input(2).doubleAt((2
            * index + 1) * positions + position);
          double factor = call.has(4) ? call.input(4).doubleAt(index * positions + position) : 1;
          int perGroup = channels / offsetGroups;
          for (int channel = group * perGroup; channel < (group + 1) * perGroup; channel++) {
            column[channel * taps() + tap] = factor * sample((image * channels + channel) * height * width, y, x);
          }
        }
      }
    }

    private double sample(long plane, double y, double x) {
      if (!(y > -1 && y < height && x > -1 && x < width)) {
        return 0;
      }
      int top = (int) Math.floor(y);
      int left = (int) Math.floor(x);
      double down = y - top;
      double right = x - left;
      return (1 - down) * ((1 - right) * at(plane, top, left) + right * at(plane, top, left + 1)) + down * ((1 - right)
        * at(plane, top + 1, left) + right * at(plane, top + 1, left + 1));
    }

    private double at(long plane, int row, int column) {
      boolean inside = row >= 0 && row < height && column >= 0 && column < width;
      return inside ? call.input(0).doubleAt(plane + (long) row * width + column) : 0;
    }
  }
}
