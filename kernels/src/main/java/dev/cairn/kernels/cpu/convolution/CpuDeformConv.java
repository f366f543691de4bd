package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Optional;

/**
 * {@code DeformConv(x, w, offset, bias?, mask?)} of images: a convolution whose taps are moved by offsets, two for each
 * tap and result, and multiplied with a mask.
 */
public final class CpuDeformConv implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    double[] weights = new double[Math.toIntExact(call.input(1).elementCount())];
    Elements.read(call.input(1), 0, weights, weights.length);
    int positions = Math.toIntExact(y.shape().elementCount(2, 4));
    CpuStream.of(call).parallel(y.shape().extent(0) * positions, 1, (first, end) -> {
      var taps = new DeformedTaps(call.attributes(), call.input(0), call.input(1), call.input(2), call.has(4)
        ? Optional.of(call.input(4))
        : Optional.empty());
      double[] column = new double[taps.channels * taps.taps];
      for (long item = first; item < end; item++) {
        read(taps, item / positions, (int) (item % positions), column);
        for (int output = 0; output < taps.groups.outputs(); output++) {
          double bias = call.has(3) ? call.input(3).doubleAt(output) : 0;
          Elements.write(new double[] {sum(taps, bias, weights, output, column)}, y, (item / positions * taps.groups
            .outputs() + output) * positions + item % positions, 1);
        }
      }
    });
  }

  /** Reads the elements under all taps of all channels. */
  private static void read(DeformedTaps taps, long image, int position, double[] column) {
    for (int group = 0; group < taps.offsetGroups; group++) {
      for (int tap = 0; tap < taps.taps; tap++) {
        taps.place(image, group, tap, position);
        for (int i = 0; i < taps.channelsPerOffset(); i++) {
          int channel = group * taps.channelsPerOffset() + i;
          column[channel * taps.taps + tap] = taps.factor() * taps.sample(image, channel);
        }
      }
    }
  }

  private static double sum(DeformedTaps taps, double bias, double[] weights, int output, double[] column) {
    int depth = taps.groups.inputsPerGroup() * taps.taps;
    int from = output / taps.groups.outputsPerGroup() * depth;
    double sum = bias;
    for (int i = 0; i < depth; i++) {
      sum += weights[output * depth + i] * column[from + i];
    }
    return sum;
  }
}
