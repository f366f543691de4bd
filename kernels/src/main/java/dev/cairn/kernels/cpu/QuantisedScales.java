package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.QuantisedLines;
import dev.cairn.kernels.catalog.KernelCall;

/** The scale and the zero point of one element after the other, along a line of a quantised tensor. */
final class QuantisedScales {
  private static final int SCALES = 1;
  private static final int ZERO_POINTS = 2;

  private final KernelCall call;
  private final QuantisedLines lines;
  private final double[] scale = new double[1];
  private final long[] zero = new long[1];
  private long last = -1;

  QuantisedScales(KernelCall call, QuantisedLines lines) {
    this.call = call;
    this.lines = lines;
  }

  /** Moves to an element of a line. */
  void moveTo(long line, long element) {
    long at = lines.scale(line) + element / lines.run();
    if (at != last) {
      Elements.read(call.input(SCALES), at, scale, 1);
      if (call.has(ZERO_POINTS)) {
        Elements.read(call.input(ZERO_POINTS), at, zero, 1);
      }
      last = at;
    }
  }

  float scale() {
    return (float) scale[0];
  }

  /** 0 if the call has no zero points. */
  long zero() {
    return zero[0];
  }
}
