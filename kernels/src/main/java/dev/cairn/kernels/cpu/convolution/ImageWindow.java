package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.Shape;

/**
 * A window over images: two spatial axes, of which the outer is 1 for a signal.
 *
 * @param height input rows, {@code width} input columns
 */
public record ImageWindow(int height, int width, SlidingWindow.Axis vertical, SlidingWindow.Axis horizontal) {
  private static final SlidingWindow.Axis SINGLE = new SlidingWindow.Axis(1, 1, 0, 0, 1, 1);

  /** The most that a window may reach, step or be padded by along an axis, and the most taps of all. */
  private static final int MOST_REACH = 1 << 12;
  private static final int MOST_TAPS = 1 << 16;

  /**
   * Whether a shape {@code N,C,spatial...} is one of images or signals, and the window small enough that rows of input
   * with all their padding fit into scratch memory.
   */
  public static boolean fits(SlidingWindow window, Shape input) {
    if (window.rank() > 2 || isMoreThanAnArray(input)) {
      return false;
    }
    long taps = 1;
    for (SlidingWindow.Axis axis : window.axes()) {
      long reach = Math.max((axis.kernel() - 1L) * axis.dilation() + 1, axis.stride());
      if (Math.max(reach, Math.max(axis.padBegin(), axis.padEnd())) > MOST_REACH) {
        return false;
      }
      taps *= axis.kernel();
    }
    return taps <= MOST_TAPS && !isMoreThanAnArray(window.outputShape(1, 1));
  }

  /** Whether a channel has more elements than an {@code int} counts. */
  private static boolean isMoreThanAnArray(Shape shape) {
    return shape.elementCount(2, shape.rank()) > Integer.MAX_VALUE;
  }

  public static ImageWindow of(SlidingWindow window, Shape input) {
    boolean signal = window.rank() == 1;
    return new ImageWindow(signal ? 1 : Math.toIntExact(input.extent(2)), Math.toIntExact(input.extent(-1)),
      signal ? SINGLE : window.axes().getFirst(), window.axes().getLast());
  }

  public int outputHeight() {
    return vertical.outputExtent();
  }

  public int outputWidth() {
    return horizontal.outputExtent();
  }

  public int outputs() {
    return outputHeight() * outputWidth();
  }

  public int inputs() {
    return height * width;
  }

  public int taps() {
    return vertical.kernel() * horizontal.kernel();
  }

  /** Each output reads the one input at its own place. */
  boolean isPointwise() {
    return taps() == 1 && vertical.stride() == 1 && horizontal.stride() == 1 && inputs() == outputs()
      && vertical.padBegin() == 0 && horizontal.padBegin() == 0;
  }
}
