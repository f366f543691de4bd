package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.ResponseWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code LrnGradient(x, h)}: the gradient of {@code LRN(x)}, where {@code h} is the gradient of its result. With {@code
 * s} for {@code bias + alpha/size * sum of x^2}, it is {@code h * s^-beta - 2*alpha*beta/size * x * sum of h*x*s^-(beta
 * + 1)}, where the last sum is over the channels that have this one among their neighbours. Sums are in {@code double}.
 */
public final class CpuLrnGradient implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    var planes = ChannelPlanes.of(x.shape());
    if (x.elementCount() == 0) {
      return;
    }
    int channels = Math.toIntExact(planes.channels());
    long blocks = Math.ceilDiv(planes.elements(), Elements.BLOCK);
    CpuStream.of(call).parallel(planes.planes() / channels * blocks, 1, (first, end) -> {
      var columns = new Columns(ResponseWindow.of(call.attributes()), channels);
      for (long item = first; item < end; item++) {
        long at = item % blocks * Elements.BLOCK;
        int count = (int) Math.min(Elements.BLOCK, planes.elements() - at);
        long start = item / blocks * channels * planes.elements() + at;
        columns.read(x, call.input(1), start, planes.elements(), count);
        columns.sumUp(count);
        columns.write(call.output(0), start, planes.elements(), count);
      }
    });
  }

  /** All channels of a block of neighbouring elements. */
  private static final class Columns {
    private final double[][] x;
    private final double[][] h;
    /** {@code h * x * s^-(beta + 1)}. */
    private final double[][] terms;
    private final double factor;
    private final double beta;
    private final double bias;
    private final int before;
    private final int after;

    Columns(ResponseWindow window, int channels) {
      x = new double[channels][Elements.BLOCK];
      h = new double[channels][Elements.BLOCK];
      terms = new double[channels][Elements.BLOCK];
      long size = window.size();
      factor = window.alpha() / (double) size;
      beta = window.beta();
      bias = window.bias();
      before = (int) Math.min(channels, (size - 1) / 2);
      after = (int) Math.min(channels, size / 2);
    }

    void read(TensorView from, TensorView heads, long start, long step, int count) {
      for (int channel = 0; channel < x.length; channel++) {
        Elements.read(from, start + channel * step, x[channel], count);
        Elements.read(heads, start + channel * step, h[channel], count);
      }
    }

    /** Replaces {@code h} by the gradient. */
    void sumUp(int count) {
      for (int channel = 0; channel < x.length; channel++) {
        for (int i = 0; i < count; i++) {
          double squares = 0;
          for (int other = first(channel, before); other <= last(channel, after); other++) {
            squares += x[other][i] * x[other][i];
          }
          double base = bias + factor * squares;
          h[channel][i] *= Math.pow(base, -beta);
          terms[channel][i] = h[channel][i] * x[channel][i] / base;
        }
      }
      for (int channel = 0; channel < x.length; channel++) {
        for (int i = 0; i < count; i++) {
          double sum = 0;
          for (int other = first(channel, after); other <= last(channel, before); other++) {
            sum += terms[other][i];
          }
          h[channel][i] -= 2 * factor * beta * x[channel][i] * sum;
        }
      }
    }

    private static int first(int channel, int before) {
      return Math.max(0, channel - before);
    }

    private int last(int channel, int after) {
      return Math.min(x.length - 1, channel + after);
    }

    void write(TensorView to, long start, long step, int count) {
      for (int channel = 0; channel < x.length; channel++) {
        Elements.write(h[channel], to, start + channel * step, count);
      }
    }
  }
}
