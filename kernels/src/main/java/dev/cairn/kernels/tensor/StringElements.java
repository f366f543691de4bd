package dev.cairn.kernels.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The elements of {@link DType#STRING} tensors. Their segment lies on the heap and never changes. It starts with the
 * {@code int64} offset of each element and of the end; the UTF-8 bytes of all elements follow.
 */
public final class StringElements {
  private static final ValueLayout.OfLong OFFSET = ValueLayout.JAVA_LONG_UNALIGNED;

  private StringElements() {}

  /** A tensor of these strings, in row-major order. */
  public static TensorView of(Shape shape, List<String> values) {
    if (shape.elementCount() != values.size()) {
      throw new IllegalArgumentException("values and shape differ: shape=%s elements=%d values=%d".formatted(shape,
        shape.elementCount(), values.size()));
    }
    byte[][] encoded = new byte[values.size()][];
    long bytes = Long.BYTES * (values.size() + 1L);
    for (int i = 0; i < encoded.length; i++) {
      encoded[i] = values.get(i).getBytes(StandardCharsets.UTF_8);
      bytes += encoded[i].length;
    }
    if (bytes > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("strings of one tensor take 2 GiB or more: shape=" + shape);
    }
    MemorySegment segment = MemorySegment.ofArray(new byte[(int) bytes]);
    long at = Long.BYTES * (values.size() + 1L);
    for (int i = 0; i < encoded.length; i++) {
      segment.set(OFFSET, (long) i * Long.BYTES, at);
      MemorySegment.copy(encoded[i], 0, segment, ValueLayout.JAVA_BYTE, at, encoded[i].length);
      at += encoded[i].length;
    }
    segment.set(OFFSET, (long) encoded.length * Long.BYTES, at);
    return new TensorView(new TensorType(DType.STRING, shape), segment.asReadOnly());
  }

  /** A list of strings. */
  public static TensorView of(List<String> values) {
    return of(Shape.of(values.size()), values);
  }

  /** The element at a flat index. */
  public static String at(TensorView view, long index) {
    if (view.dtype() != DType.STRING) {
      throw new IllegalArgumentException("not strings: type=" + view.type());
    }
    MemorySegment segment = view.segment();
    long from = segment.get(OFFSET, index * Long.BYTES);
    long to = segment.get(OFFSET, (index + 1) * Long.BYTES);
    byte[] bytes = new byte[(int) (to - from)];
    MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, from, bytes, 0, bytes.length);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** All elements, in row-major order. */
  public static String[] toArray(TensorView view) {
    String[] values = new String[Math.toIntExact(view.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = at(view, i);
    }
    return values;
  }
}
