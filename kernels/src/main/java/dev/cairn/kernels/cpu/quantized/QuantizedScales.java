package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.QuantizedLines;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.TensorView;

/** The scale and the zero point of one element after the other, along a line of a quantised tensor. */
final class QuantizedScales {
  private static final int SCALES = 1;
  private static final int ZERO_POINTS = 2;

  private final KernelCall call;
  private final QuantizedLines lines;
  private final double[] scale = new double[1];
  private final long[] zero = new long[1];
  private final double[] zeroReal = new double[1];
  private long last = -1;

  QuantizedScales(KernelCall call, QuantizedLines lines) {
    this.call = call;
    this.lines = lines;
  }

  /** Moves to an element of a line. */
  void moveTo(long line, long element) {
    long at = lines.scale(line) + element / lines.run();
    if (at != last) {
      Elements.read(call.input(SCALES), at, scale, 1);
      if (call.has(ZERO_POINTS)) {
        readZero(call.input(ZERO_POINTS), at);
      }
      last = at;
    }
  }

  private void readZero(TensorView zeros, long at) {
    if (zeros.dtype().isReal()) {
      Elements.read(zeros, at, zeroReal, 1);
    } else {
      Elements.read(zeros, at, zero, 1);
    }
  }

  float scale() {
    return (float) scale[0];
  }

  /** The zero point of integers; 0 if the call has no zero points. */
  long zero() {
    return zero[0];
  }

  /** The zero point of narrow floats; 0 if the call has no zero points. */
  double zeroReal() {
    return zeroReal[0];
  }
}
