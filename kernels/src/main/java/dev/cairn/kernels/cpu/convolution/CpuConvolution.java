package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
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

  /** The operands of a convolution of real or whole numbers, which are exact in {@code double}. */
  public interface Operands {
    /** Reads a channel of an image, by its index over the whole batch. */
    void readPlane(long plane, double[] to);

    /** Reads the taps of an output channel for one of its input channels. */
    void readFilter(int output, int channel, double[] to);

    /** The value of each element of an output channel before its terms are added. */
    double start(int output);

    /** Writes an output channel of an image, by its index over the whole batch. */
    void write(long plane, double[] sums);
  }

  private static void convolve(KernelCall call) {
    Shape weights = call.input(1).shape();
    long taps = weights.elementCount(2, weights.rank());
    run(call, call.input(0).shape(), weights, new Operands() {
      @Override
      public void readPlane(long plane, double[] to) {
        Elements.read(call.input(0), plane * to.length, to, to.length);
      }

      @Override
      public void readFilter(int output, int channel, double[] to) {
        Elements.read(call.input(1), (output * weights.extent(1) + channel) * taps, to, to.length);
      }

      @Override
      public double start(int output) {
        return call.has(2) ? call.input(2).doubleAt(output) : 0;
      }

      @Override
      public void write(long plane, double[] sums) {
        Elements.write(sums, call.output(0), plane * sums.length, sums.length);
      }
    });
  }

  /** Convolves an image {@code N,C,spatial...} with weights {@code M,C/group,kernel...}. */
  public static void run(KernelCall call, Shape input, Shape weights, Operands operands) {
    ConvolutionGroups groups = ConvolutionGroups.of(call.attributes(), input, weights);
    var lines = new WindowLines(SlidingWindow.ofWeights(call.attributes(), input, weights), input);
    CpuStream.of(call).parallel(groups.batch() * (long) groups.outputs(), 1, (first, end) -> {
      double[] sums = new double[lines.outputs()];
      double[] plane = new double[Math.toIntExact(input.elementCount(2, input.rank()))];
      double[] filter = new double[groups.inputsPerGroup() == 0 ? 0 : lines.taps()];
      for (long i = first; i < end; i++) {
        int image = (int) (i / groups.outputs());
        int output = (int) (i % groups.outputs());
        Arrays.fill(sums, operands.start(output));
        for (int channel = 0; channel < groups.inputsPerGroup(); channel++) {
          operands.readPlane(groups.inputChannel(image, output, channel), plane);
          operands.readFilter(output, channel, filter);
          addChannel(lines, plane, filter, sums);
        }
        operands.write(i, sums);
      }
    });
  }

  /** Two loops, which are simple enough for the JVM's compiler to use vectors. */
  private static void addLine(double[] sums, int to, double[] plane, int from, int count, int stride, double weight) {
    if (stride == 1) {
      for (int o = 0; o < count; o++) {
        sums[to + o] += weight * plane[from + o];
      }
    } else {
      for (int o = 0; o < count; o++) {
        sums[to + o] += weight * plane[from + o * stride];
      }
    }
  }

  private static void addChannel(WindowLines lines, double[] plane, double[] filter, double[] sums) {
    int stride = lines.stride();
    for (int outer = 0; outer < lines.outerTaps(); outer++) {
      for (int inner = 0; inner < lines.innerTaps(); inner++) {
        double weight = filter[outer * lines.innerTaps() + inner];
        int begin = lines.firstOutput(inner);
        int end = lines.endOutput(inner);
        for (int line = 0; line < lines.lines(); line++) {
          long of = lines.inputLine(outer, line);
          if (of >= 0) {
            int from = Math.toIntExact(of + lines.innerStart(inner) + (long) begin * stride);
            addLine(sums, line * lines.width() + begin, plane, from, end - begin, stride, weight);
          }
        }
      }
    }
  }
}
