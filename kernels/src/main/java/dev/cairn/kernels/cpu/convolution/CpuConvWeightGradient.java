package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * {@code ConvWeightGradient(x, h)}: the gradient of the weights of {@code Conv(x, w)}, where {@code h} is the gradient
 * of its result. Each weight sums, over all images and windows, the input under its tap times {@code h} of the window;
 * in {@code double}, over any number of spatial axes. Attributes are those of {@code Conv}, with {@code kernel_shape}.
 */
public final class CpuConvWeightGradient implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView h = call.input(1);
    Shape weights = call.output(0).shape();
    ConvolutionGroups groups = ConvolutionGroups.of(call.attributes(), x.shape(), weights);
    var lines = new WindowLines(SlidingWindow.ofWeights(call.attributes(), x.shape(), weights), x.shape());
    CpuStream.of(call).parallel(groups.outputs(), 1, (first, end) -> {
      double[] plane = new double[Math.toIntExact(x.shape().elementCount(2, x.shape().rank()))];
      double[] heads = new double[lines.outputs()];
      double[] sums = new double[Math.multiplyExact(groups.inputsPerGroup(), lines.taps())];
      for (int output = (int) first; output < end; output++) {
        Arrays.fill(sums, 0);
        for (int image = 0; image < groups.batch(); image++) {
          Elements.read(h, ((long) image * groups.outputs() + output) * heads.length, heads, heads.length);
          for (int channel = 0; channel < groups.inputsPerGroup(); channel++) {
            Elements.read(x, groups.inputChannel(image, output, channel) * plane.length, plane, plane.length);
            addChannel(lines, plane, heads, sums, channel * lines.taps());
          }
        }
        Elements.write(sums, call.output(0), (long) output * sums.length, sums.length);
      }
    });
  }

  private static void addChannel(WindowLines lines, double[] plane, double[] heads, double[] sums, int firstTap) {
    for (int outer = 0; outer < lines.outerTaps(); outer++) {
      for (int inner = 0; inner < lines.innerTaps(); inner++) {
        int begin = lines.firstOutput(inner);
        int end = lines.endOutput(inner);
        double sum = 0;
        for (int line = 0; line < lines.lines(); line++) {
          long from = lines.inputLine(outer, line) + lines.innerStart(inner);
          int at = line * lines.width();
          for (int o = begin; lines.inputLine(outer, line) >= 0 && o < end; o++) {
            sum += heads[at + o] * plane[(int) (from + (long) o * lines.stride())];
          }
        }
        sums[firstTap + outer * lines.innerTaps() + inner] += sum;
      }
    }
  }
}
