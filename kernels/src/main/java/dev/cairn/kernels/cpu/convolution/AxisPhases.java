package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.attribute.SlidingWindow;
import java.util.ArrayList;
import java.util.List;

/**
 * One axis of a window whose inputs are split by their remainder modulo the stride (a polyphase split): of each part,
 * neighbouring windows read neighbouring inputs, whatever the stride.
 */
final class AxisPhases {
  private final SlidingWindow.Axis axis;
  private final List<Integer> remainders = new ArrayList<>();

  AxisPhases(SlidingWindow.Axis axis) {
    this.axis = axis;
    for (int tap = 0; tap < axis.kernel(); tap++) {
      if (!remainders.contains(remainder(tap))) {
        remainders.add(remainder(tap));
      }
    }
  }

  private int remainder(int tap) {
    return tap * axis.dilation() % axis.stride();
  }

  /** The parts that taps read. */
  int count() {
    return remainders.size();
  }

  /** The part that a tap reads. */
  int part(int tap) {
    return remainders.indexOf(remainder(tap));
  }

  /** The element of its part that a tap of window 0 reads; window {@code o} reads {@code o} elements behind. */
  int shift(int tap) {
    return tap * axis.dilation() / axis.stride();
  }

  int mostShift() {
    return shift(axis.kernel() - 1);
  }

  /** The input that an element of a part is, which may lie in padding. */
  int input(int part, int element) {
    return element * axis.stride() + remainders.get(part) - axis.padBegin();
  }
}
