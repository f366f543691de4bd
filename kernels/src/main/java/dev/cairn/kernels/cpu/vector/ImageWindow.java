package dev.cairn.kernels.cpu.vector;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.Shape;

/**
 * A window over images: two spatial axes, of which the outer is 1 for a signal.
 *
 * @param height input rows, {@code width} input columns
 */
record ImageWindow(int height, int width, SlidingWindow.Axis vertical, SlidingWindow.Axis horizontal) {
  private static final SlidingWindow.Axis SINGLE = new SlidingWindow.Axis(1, 1, 0, 0, 1, 1);

  /** Whether a shape {@code N,C,spatial...} is one of images or signals. */
  static boolean fits(Shape input) {
    return input.rank() == 3 || input.rank() == 4;
  }

  static ImageWindow of(SlidingWindow window, Shape input) {
    boolean signal = window.rank() == 1;
    return new ImageWindow(signal ? 1 : Math.toIntExact(input.extent(2)), Math.toIntExact(input.extent(-1)),
      signal ? SINGLE : window.axes().getFirst(), window.axes().getLast());
  }

  int outputHeight() {
    return vertical.outputExtent();
  }

  int outputWidth() {
    return horizontal.outputExtent();
  }

  int outputs() {
    return outputHeight() * outputWidth();
  }

  int inputs() {
    return height * width;
  }

  int taps() {
    return vertical.kernel() * horizontal.kernel();
  }

  /** Each output reads the one input at its own place. */
  boolean isPointwise() {
    return taps() == 1 && vertical.stride() == 1 && horizontal.stride() == 1 && inputs() == outputs()
      && vertical.padBegin() == 0 && horizontal.padBegin() == 0;
  }
}
