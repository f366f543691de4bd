package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An input whose elements, {@code int32} or {@code int64}, are indexes; a negative one counts from the end of its
 * axis.
 */
public final class IndexInput {
  private final MemorySegment segment;
  private final boolean wide;

  public IndexInput(TensorView view) {
    if (view.dtype() != DType.INT32 && view.dtype() != DType.INT64) {
      throw new IllegalArgumentException("indexes are int32 or int64: type=" + view.type());
    }
    segment = view.segment();
    wide = view.dtype() == DType.INT64;
  }

  /** Where {@code count} indexes from a position on lead in a tensor, of whose axes they are those from an axis on. */
  public long offset(long position, Shape shape, int axis, int count) {
    long offset = 0;
    for (int i = 0; i < count; i++) {
      offset = offset * shape.extent(axis + i) + at(position + i, shape.extent(axis + i));
    }
    return offset * shape.elementCount(axis + count, shape.rank());
  }

  /**
   * The index at a position, counted from the beginning of its axis.
   *
   * @throws IllegalArgumentException when the axis has no such index
   */
  public long at(long position, long extent) {
    long index = wide
      ? segment.get(ValueLayout.JAVA_LONG_UNALIGNED, position * Long.BYTES)
      : segment.get(ValueLayout.JAVA_INT_UNALIGNED, position * Integer.BYTES);
    if (index < -extent || index >= extent) {
      throw new IllegalArgumentException(
        "index outside its axis: index=%d extent=%d position=%d".formatted(index, extent, position));
    }
    return index < 0 ? index + extent : index;
  }
}
