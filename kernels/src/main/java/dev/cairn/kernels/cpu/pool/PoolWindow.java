package dev.cairn.kernels.cpu.pool;

import dev.cairn.kernels.attribute.SlidingWindow;

/** How many elements an average of a window is over. */
public final class PoolWindow {
  private PoolWindow() {}

  /**
   * The divisor of a window's sum, along one axis (the divisor is the product over all axes): its taps within
   * the input, or with {@code includePadding} within the padded input. Taps beyond the end padding, where rounding up
   * has put them, never count.
   */
  public static int counted(SlidingWindow window, int axis, int output, int inputExtent, boolean includePadding) {
    if (!includePadding) {
      return window.endTap(axis, output, inputExtent) - window.firstTap(axis, output);
    }
    long room = (long) inputExtent + window.padEnd(axis) - window.start(axis, output);
    return (int) Math.min(window.kernel(axis), Math.ceilDiv(room, window.dilation(axis)));
  }
}
