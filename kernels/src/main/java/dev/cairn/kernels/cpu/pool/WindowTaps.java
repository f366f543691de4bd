package dev.cairn.kernels.cpu.pool;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.Shape;

/**
 * The taps of each window of a channel that lie in the input, over any number of spatial axes, in row-major order. The
 * work depends on the input alone: a window may be far larger than that.
 */
final class WindowTaps {
  private final SlidingWindow window;
  private final int[] extents;
  /** For each axis: windows along all axes after it. */
  private final int[] behind;
  private final int outputs;

  /** Neighbouring taps of a window along the innermost axis. */
  @FunctionalInterface
  interface Line {
    /** @param from the element of the channel under the first tap; the others follow {@code step} apart */
    void take(int from, int count, int step);
  }

  /** @param input {@code N,C,spatial...}, of which a channel is at most an array */
  WindowTaps(SlidingWindow window, Shape input) {
    this.window = window;
    this.extents = new int[window.rank()];
    this.behind = new int[window.rank()];
    int count = 1;
    for (int axis = window.rank() - 1; axis >= 0; axis--) {
      extents[axis] = Math.toIntExact(input.extent(axis + 2));
      behind[axis] = count;
      count = Math.multiplyExact(count, window.outputExtent(axis));
    }
    this.outputs = count;
  }

  /** All windows of a channel. */
  int outputs() {
    return outputs;
  }

  /** Calls for each line of a window's taps that has some in the input. */
  void forEachLine(int output, Line line) {
    walk(0, output, 0, line);
  }

  private void walk(int axis, int output, int before, Line line) {
    int at = output / behind[axis] % window.outputExtent(axis);
    int first = window.firstTap(axis, at);
    int end = window.endTap(axis, at, extents[axis]);
    int step = window.dilation(axis);
    int start = before * extents[axis] + window.start(axis, at) + first * step;
    if (axis == extents.length - 1) {
      if (first < end) {
        line.take(start, end - first, step);
      }
      return;
    }
    for (int tap = 0; tap < end - first; tap++) {
      walk(axis + 1, output, start + tap * step, line);
    }
  }
}
