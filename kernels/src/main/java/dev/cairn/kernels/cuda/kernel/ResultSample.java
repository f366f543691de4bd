package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The first and the last elements of a result, as many as are quickly compared. Immutable. */
final class ResultSample {
  private static final long ELEMENTS_OF_AN_END = 1 << 15;
  /** More than any kernel rounds, be it to 7 bits of fraction, and less than a wrong operand makes of it. */
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
   * How another one differs by more than kernels that compute the same may; empty when it does not.
   *
   * @param terms that make one element, of about size 1
   */
  Optional<String> difference(ResultSample other, long terms) {
    double rounding = PART + Math.sqrt((double) terms) * PART / 16;
    for (int i = 0; i < values.length; i++) {
      double allowed = Math.max(rounding, Math.abs(values[i]) * PART);
      // Not the other way round: what is no number is never within. Equal infinities are.
      if (values[i] != other.values[i] && !(Math.abs(values[i] - other.values[i]) <= allowed)) {
        return Optional.of("index=%d expected=%s actual=%s".formatted(i, values[i], other.values[i]));
      }
    }
    return Optional.empty();
  }
}
