package dev.cairn.kernels;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/** Walks every tap of every window of a channel, one by one, over any number of spatial axes: slow and obvious. */
public final class WindowReference {
  /** Sees one tap: its index in the window, and where it lies in the channel, or -1 in padding. */
  @FunctionalInterface
  public interface Tap {
    void at(int tap, int position);
  }

  private final SlidingWindow window;
  private final Shape input;

  public WindowReference(SlidingWindow window, Shape input) {
    this.window = window;
    this.input = input;
  }

  /** Windows of a channel. */
  public int outputs() {
    return Math.toIntExact(window.outputShape(1, 1).elementCount());
  }

  /** Taps of a window. */
  public int taps() {
    int taps = 1;
    for (int axis = 0; axis < window.rank(); axis++) {
      taps *= window.kernel(axis);
    }
    return taps;
  }

  public void forTaps(int output, Tap body) {
    for (int tap = 0; tap < taps(); tap++) {
      int restOfOutput = output;
      int restOfTap = tap;
      int position = 0;
      int step = 1;
      for (int axis = window.rank() - 1; axis >= 0; axis--) {
        int extent = (int) input.extent(axis + 2);
        int at = restOfOutput % window.outputExtent(axis) * window.stride(axis) - window.padBegin(axis)
          + restOfTap % window.kernel(axis) * window.dilation(axis);
        position = position < 0 || at < 0 || at >= extent ? -1 : position + at * step;
        step *= extent;
        restOfOutput /= window.outputExtent(axis);
        restOfTap /= window.kernel(axis);
      }
      body.at(tap, position);
    }
  }

  /** {@code Conv} in double precision. */
  public double[] convolve(TensorView x, TensorView w, TensorView bias, int groups) {
    int outputs = (int) w.shape().extent(0);
    int inputs = (int) w.shape().extent(1);
    int plane = (int) input.elementCount(2, input.rank());
    double[] result = new double[(int) input.extent(0) * outputs * outputs()];
    for (int i = 0; i < result.length; i++) {
      int channel = i / outputs() % outputs;
      int image = i / outputs() / outputs;
      double[] sum = {bias.doubleAt(channel)};
      for (int c = 0; c < inputs; c++) {
        long from = (((long) image * groups + channel / (outputs / groups)) * inputs + c) * plane;
        long weight = ((long) channel * inputs + c) * taps();
        forTaps(i % outputs(),
          (tap, position) -> sum[0] += position < 0 ? 0 : x.doubleAt(from + position) * w.doubleAt(weight + tap));
      }
      result[i] = sum[0];
    }
    return result;
  }
}
