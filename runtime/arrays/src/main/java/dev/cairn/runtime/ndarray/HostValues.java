package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;

/** An array's values for the caller; each method waits for them. */
public sealed interface HostValues permits NDArray {
  TensorType type();

  /** Lets the caller read the bytes where they lie. */
  <R> R read(Function<MemorySegment, R> reader);

  /** A copy of the values on the Java heap. */
  default TensorView toHost() {
    return read(segment -> HeapTensor.copyOf(new TensorView(type(), segment)));
  }

  default float[] toFloatArray() {
    requireType(DType.FLOAT32);
    return read(segment -> segment.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
  }

  default double[] toDoubleArray() {
    requireType(DType.FLOAT64);
    return read(segment -> segment.toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED));
  }

  default int[] toIntArray() {
    requireType(DType.INT32);
    return read(segment -> segment.toArray(ValueLayout.JAVA_INT_UNALIGNED));
  }

  default long[] toLongArray() {
    requireType(DType.INT64);
    return read(segment -> segment.toArray(ValueLayout.JAVA_LONG_UNALIGNED));
  }

  private void requireType(DType wanted) {
    if (type().dtype() != wanted) {
      throw new IllegalArgumentException("another element type: array=%s wanted=%s; convert with astype".formatted(
        type(), wanted));
    }
  }

  /** The only element; whole numbers beyond 2⁵³ are rounded. */
  default double item() {
    if (type().shape().elementCount() != 1) {
      throw new IllegalArgumentException("not a single element: array=%s; reduce it first".formatted(type()));
    }
    return toHost().doubleAt(0);
  }

  /** Whether the only element is not zero. */
  default boolean truth() {
    return item() != 0;
  }
}
