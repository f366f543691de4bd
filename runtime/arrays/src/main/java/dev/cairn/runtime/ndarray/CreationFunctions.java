package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Scalars;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Functions that make arrays from values of the caller. */
public sealed interface CreationFunctions permits ArrayRuntime {
  /** A copy of a tensor of any element type. */
  NDArray copyOf(TensorView view);

  /** A small copy that never changes: calls know its value at once, as they must for axes and shapes. */
  NDArray constant(TensorView value);

  /** Applies an operator of ONNX by its name; null stands for an omitted operand. */
  List<NDArray> apply(String operator, Attributes attributes, int results, List<@Nullable NDArray> operands);

  /** A copy of the values, which are there at once. */
  default NDArray of(float[] values, long... shape) {
    return copyOf(view(DType.FLOAT32, MemorySegment.ofArray(values), shape));
  }

  default NDArray of(double[] values, long... shape) {
    return copyOf(view(DType.FLOAT64, MemorySegment.ofArray(values), shape));
  }

  default NDArray of(int[] values, long... shape) {
    return copyOf(view(DType.INT32, MemorySegment.ofArray(values), shape));
  }

  default NDArray of(long[] values, long... shape) {
    return copyOf(view(DType.INT64, MemorySegment.ofArray(values), shape));
  }

  private static TensorView view(DType dtype, MemorySegment values, long... shape) {
    TensorType type = TensorType.of(dtype, shape);
    if (values.byteSize() != type.bytes()) {
      throw new IllegalArgumentException("values and shape differ: type=%s elements=%d values=%d".formatted(type, type
        .shape().elementCount(), values.byteSize() / dtype.bytes()));
    }
    return new TensorView(type, values);
  }

  default NDArray zeros(DType dtype, long... shape) {
    return full(0, dtype, shape);
  }

  default NDArray ones(DType dtype, long... shape) {
    return full(1, dtype, shape);
  }

  /** Every element the same number. */
  default NDArray full(Number value, DType dtype, long... shape) {
    return constant(Scalars.of(dtype, value)).broadcastTo(shape);
  }

  /** The numbers from {@code start} in steps as far as {@code end}, which is left out. */
  default NDArray arange(Number start, Number end, Number step, DType dtype) {
    return apply("Range", Attributes.NONE, 1, List.of(constant(Scalars.of(dtype, start)), constant(Scalars.of(dtype,
      end)), constant(Scalars.of(dtype, step)))).get(0);
  }

  /** {@code count} numbers at equal distances from {@code start} to {@code stop}, both of them included. */
  default NDArray linspace(double start, double stop, int count, DType dtype) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = i > 0 && i == count - 1 ? stop : start + i * ((stop - start) / Math.max(1, count - 1));
    }
    try (NDArray doubles = of(values, count)) {
      return doubles.astype(dtype);
    }
  }
}
