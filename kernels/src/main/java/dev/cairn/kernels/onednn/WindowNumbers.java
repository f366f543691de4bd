package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.Shape;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** A window as oneDNN has it: one number for each spatial axis. */
final class WindowNumbers {
  private WindowNumbers() {}

  static long[] kernel(SlidingWindow window) {
    return of(window, window::kernel);
  }

  static long[] strides(SlidingWindow window) {
    return of(window, window::stride);
  }

  /** Elements between two taps. */
  static long[] gaps(SlidingWindow window) {
    return of(window, axis -> window.dilation(axis) - 1);
  }

  static long[] padsBegin(SlidingWindow window) {
    return of(window, window::padBegin);
  }

  /** Up to the end of the last window, which may be before the end of the input: then it is negative. */
  static long[] padsEnd(SlidingWindow window, Shape input) {
    return of(window, axis -> {
      int reach = (window.kernel(axis) - 1) * window.dilation(axis) + 1;
      return (window.outputExtent(axis) - 1) * window.stride(axis) + reach - Math.toIntExact(input.extent(axis + 2))
        - window.padBegin(axis);
    });
  }

  private static long[] of(SlidingWindow window, IntUnaryOperator property) {
    return IntStream.range(0, window.rank()).map(property).asLongStream().toArray();
  }
}
