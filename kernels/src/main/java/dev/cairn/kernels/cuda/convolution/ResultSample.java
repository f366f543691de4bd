package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The first and last elements of a result, few enough for a quick comparison. Immutable. */
final class ResultSample {
  private static final long ELEMENTS_OF_AN_END = 1 << 15;
  /** The tolerance: above any rounding error, even with 7 bits of fraction, and below the effect of a wrong operand. */
  private static final double PART = 0.02;

  private final double[] values;

  private ResultSample(double[] values) {
    this.values = values;
  }

  /** Waits for the stream. */
  static ResultSample of(CudaStream stream, TensorView result) {
    long count = result.elementCount();
    long head = Math.min(count, ELEMENTS_OF_AN_END);
    long tail = Math.min(count - head, ELEMENTS_OF_AN_END);
    int bytes = result.dtype().bytes();
    double[] values = new double[Math.toIntExact(head + tail)];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment host = arena.allocate(Math.max(1, (head + tail) * bytes), Long.BYTES).asSlice(0, (head + tail)
        * bytes);
      long address = result.segment().address();
      stream.copyToHost(host.asSlice(0, head * bytes), address);
      stream.copyToHost(host.asSlice(head * bytes), address + (count - tail) * bytes);
      stream.synchronize();
      var view = new TensorView(new TensorType(result.dtype(), Shape.of(values.length)), host);
      for (int i = 0; i < values.length; i++) {
        values[i] = view.doubleAt(i);
      }
    }
    return new ResultSample(values);
  }

  /**
   * The difference to another sample, if it is above the tolerance.
   *
   * @param terms the number of terms of about size 1 in the sum of one element
   */
  Optional<String> difference(ResultSample other, long terms) {
    double rounding = PART + Math.sqrt((double) terms) * PART / 16;
    for (int i = 0; i < values.length; i++) {
      double allowed = Math.max(rounding, Math.abs(values[i]) * PART);
      // In this form NaN is never within the tolerance, and equal infinities are.
      if (values[i] != other.values[i] && !(Math.abs(values[i] - other.values[i]) <= allowed)) {
        return Optional.of("index=%d expected=%s actual=%s".formatted(i, values[i], other.values[i]));
      }
    }
    return Optional.empty();
  }
}
