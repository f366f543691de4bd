package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;

/**
 * {@code Conv(x, w, bias?)} for {@code float32} and {@code float64}, over any number of spatial axes: {@code x} is
 * {@code N,C,spatial...}, {@code w} is {@code M,C/group,kernel...}. Sums are kept in {@code double}: the bias, then by
 * ascending channel and tap; they are rounded once.
 */
public final class CpuConvolution {
  /** {@code Conv}. */
  public static final Kernel CONV = CpuConvolution::convolve;

  private CpuConvolution() {}

  private static void convolve(KernelCall call) {
    Shape input = call.input(0).shape();
    Shape weights = call.input(1).shape();
    ConvolutionGroups groups = ConvolutionGroups.of(call.attributes(), input, weights);
    var lines = new WindowLines(SlidingWindow.ofWeights(call.attributes(), input, weights), input);
    CpuStream.of(call).parallel(groups.batch() * (long) groups.outputs(), 1, (first, end) -> {
      double[] sums = new double[lines.outputs()];
      double[] plane = new double[Math.toIntExact(input.elementCount(2, input.rank()))];
      double[] filter = new double[groups.inputsPerGroup() == 0 ? 0 : lines.taps()];
      double[] bias = new double[1];
      for (long i = first; i < end; i++) {
        int image = (int) (i / groups.outputs());
        int output = (int) (i % groups.outputs());
        if (call.has(2)) {
          Elements.read(call.input(2), output, bias, 1);
        }
        Arrays.fill(sums, bias[0]);
        for (int channel = 0; channel < groups.inputsPerGroup(); channel++) {
          long from = groups.inputChannel(image, output, channel);
          Elements.read(call.input(0), from * plane.length, plane, plane.length);
          long weight = (long) output * groups.inputsPerGroup() + channel;
          Elements.read(call.input(1), weight * filter.length, filter, filter.length);
          addChannel(lines, plane, filter, sums);
        }
        Elements.write(sums, call.output(0), i * sums.length, sums.length);
      }
    });
  }

  private static void addChannel(WindowLines lines, double[] plane, double[] filter, double[] sums) {
    int stride = lines.stride();
    for (int outer = 0; outer < lines.outerTaps(); outer++) {
      for (int inner = 0; inner < lines.innerTaps(); inner++) {
        double weight = filter[outer * lines.innerTaps() + inner];
        int begin = lines.firstOutput(inner);
        int end = lines.endOutput(inner);
        for (int line = 0; line < lines.lines(); line++) {
          long from = lines.inputLine(outer, line) + lines.innerStart(inner);
          int to = line * lines.width();
          for (int o = begin; lines.inputLine(outer, line) >= 0 && o < end; o++) {
            sums[to + o] += weight * plane[(int) (from + (long) o * stride)];
          }
        }
      }
    }
  }
}
