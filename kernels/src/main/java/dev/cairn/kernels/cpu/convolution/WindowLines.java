package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.Shape;

/**
 * The geometry of a sliding window over one channel, cut into lines along the innermost axis, whatever the number of
 * spatial axes. The outputs are {@link #lines} lines of {@link #width} windows; the taps of a window are {@link
 * #outerTaps} lines of {@link #innerTaps} taps, in row-major order.
 *
 * <pre> input read by tap (t, u) of output (line, o):  inputLine(t, line) + o * stride + innerStart(u) </pre>
 *
 * defined where {@code inputLine(t, line) >= 0} and {@code o} lies in {@code [firstOutput(u), endOutput(u))}: elsewhere
 * is padding.
 */
final class WindowLines {
  private final SlidingWindow window;
  private final int inner;
  private final int inputWidth;
  private final int lines;
  private final int outerTaps;
  /** For each outer tap and line: where the input line starts, or -1 in padding. */
  private final int[] inputLines;

  /** @param input {@code N,C,spatial...} */
  WindowLines(SlidingWindow window, Shape input) {
    this.window = window;
    this.inner = window.rank() - 1;
    this.inputWidth = Math.toIntExact(input.extent(-1));
    int allLines = 1;
    int allTaps = 1;
    for (int axis = 0; axis < inner; axis++) {
      allLines = Math.multiplyExact(allLines, window.outputExtent(axis));
      allTaps = Math.multiplyExact(allTaps, window.kernel(axis));
    }
    this.lines = allLines;
    this.outerTaps = allTaps;
    this.inputLines = new int[Math.multiplyExact(lines, outerTaps)];
    for (int tap = 0; tap < outerTaps; tap++) {
      for (int line = 0; line < lines; line++) {
        inputLines[tap * lines + line] = locate(tap, line, input);
      }
    }
  }

  private int locate(int tap, int line, Shape input) {
    int at = 0;
    int step = inputWidth;
    int restOfTap = tap;
    int restOfLine = line;
    for (int axis = inner - 1; axis >= 0; axis--) {
      int extent = Math.toIntExact(input.extent(axis + 2));
      long position = window.start(axis, restOfLine % window.outputExtent(axis))
        + (long) (restOfTap % window.kernel(axis)) * window.dilation(axis);
      if (position < 0 || position >= extent) {
        return -1;
      }
      at += (int) position * step;
      step *= extent;
      restOfTap /= window.kernel(axis);
      restOfLine /= window.outputExtent(axis);
    }
    return at;
  }

  int lines() {
    return lines;
  }

  /** Windows along the innermost axis. */
  int width() {
    return window.outputExtent(inner);
  }

  /** All windows of a channel. */
  int outputs() {
    return Math.multiplyExact(lines, width());
  }

  int outerTaps() {
    return outerTaps;
  }

  int innerTaps() {
    return window.kernel(inner);
  }

  /** All taps of a window. */
  int taps() {
    return Math.multiplyExact(outerTaps, innerTaps());
  }

  int stride() {
    return window.stride(inner);
  }

  int inputLine(int outerTap, int line) {
    return inputLines[outerTap * lines + line];
  }

  long innerStart(int innerTap) {
    return (long) innerTap * window.dilation(inner) - window.padBegin(inner);
  }

  int firstOutput(int innerTap) {
    return Math.clamp(Math.ceilDiv(-innerStart(innerTap), (long) stride()), 0, width());
  }

  int endOutput(int innerTap) {
    return Math.clamp(Math.ceilDiv(inputWidth - innerStart(innerTap), (long) stride()), firstOutput(innerTap), width());
  }
}
