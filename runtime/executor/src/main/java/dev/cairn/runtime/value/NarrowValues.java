package dev.cairn.runtime.value;

import dev.cairn.kernels.cpu.access.HalfNumber;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntToDoubleFunction;

/** Converts between Java arrays and elements of narrow types, or of half precision. */
final class NarrowValues {
  private NarrowValues() {}

  /** The elements nearest to these values. */
  static MemorySegment packed(float[] values, DType dtype) {
    if (dtype.isHalf()) {
      MemorySegment halves = MemorySegment.ofArray(new short[values.length]);
      HalfNumber.narrow(dtype, MemorySegment.ofArray(values), halves, 0, values.length);
      return halves;
    }
    return packed(dtype, values.length, i -> values[i]);
  }

  /** @throws IllegalArgumentException if the type does not have one of these numbers */
  static MemorySegment packed(int[] values, DType dtype) {
    MemorySegment elements = packed(dtype, values.length, i -> values[i]);
    for (int value : values) {
      if (NarrowElements.nearest(dtype, value) != value) {
        throw new IllegalArgumentException("the element type does not have this number: dtype=%s value=%d".formatted(
          dtype, value));
      }
    }
    return elements;
  }

  private static MemorySegment packed(DType dtype, int count, IntToDoubleFunction values) {
    if (!dtype.isNarrow()) {
      throw new IllegalArgumentException("values are converted to half precision and narrow types only: dtype="
        + dtype);
    }
    TensorType type = TensorType.of(dtype, count);
    var view = new TensorView(type, MemorySegment.ofArray(new byte[Math.toIntExact(type.bytes())]));
    for (int i = 0; i < count; i++) {
      NarrowElements.setNearest(view, i, values.applyAsDouble(i));
    }
    return view.segment();
  }

  /** The elements of a {@code float32} tensor, or of one in half precision or of a narrow type. */
  static float[] floats(TensorType type, MemorySegment elements) {
    if (type.dtype() == DType.FLOAT32) {
      return elements.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    }
    var view = new TensorView(type, elements);
    float[] values = new float[Math.toIntExact(view.elementCount())];
    if (type.dtype().isHalf()) {
      HalfNumber.widen(type.dtype(), elements, MemorySegment.ofArray(values), 0, values.length);
      return values;
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) view.doubleAt(i);
    }
    return values;
  }

  /** The elements of an {@code int32} tensor, or of integers of fewer than 8 bits. */
  static int[] ints(TensorType type, MemorySegment elements) {
    if (!type.dtype().isNarrow()) {
      return elements.toArray(ValueLayout.JAVA_INT_UNALIGNED);
    }
    var view = new TensorView(type, elements);
    int[] values = new int[Math.toIntExact(view.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (int) view.longAt(i);
    }
    return values;
  }
}
