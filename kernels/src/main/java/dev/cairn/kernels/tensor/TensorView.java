package dev.cairn.kernels.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * A dense, row-major tensor over borrowed bytes: the caller owns them and keeps them alive. The bytes are in the host's
 * byte order; the segment is exactly as long as the tensor. Element access by index is for tests and small values
 * (shapes, axes); kernels read the segment. Strings are encoded in a segment of any length, see {@link StringElements}.
 */
public record TensorView(TensorType type, MemorySegment segment) {
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

  public TensorView {
    if (segment.byteSize() != type.bytes() && type.dtype() != DType.STRING) {
      throw new IllegalArgumentException(
        "segment and type differ: type=%s bytes=%d segmentBytes=%d".formatted(type, type.bytes(), segment.byteSize()));
    }
  }

  public DType dtype() {
    return type.dtype();
  }

  public Shape shape() {
    return type.shape();
  }

  public long elementCount() {
    return type.shape().elementCount();
  }

  /** The same bytes with another shape of equally many elements. */
  public TensorView reshaped(Shape shape) {
    return new TensorView(type.withShape(shape), segment);
  }

  /** The element at a flat index as a {@code long}, for integer and boolean types; unsigned 64-bit values wrap. */
  public long longAt(long index) {
    return switch (dtype()) {
      case INT64, UINT64 -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, index * Long.BYTES);
      case INT32 -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, index * Integer.BYTES);
      case UINT32 -> Integer.toUnsignedLong(segment.get(ValueLayout.JAVA_INT_UNALIGNED, index * Integer.BYTES));
      case INT16 -> segment.get(SHORT, index * Short.BYTES);
      case UINT16 -> Short.toUnsignedLong(segment.get(SHORT, index * Short.BYTES));
      case INT8 -> segment.get(ValueLayout.JAVA_BYTE, index);
      case UINT8, BOOL -> Byte.toUnsignedLong(segment.get(ValueLayout.JAVA_BYTE, index));
      case INT4, UINT4, INT2, UINT2 -> NarrowElements.whole(dtype(), code(index));
      case FLOAT32, FLOAT64, FLOAT16, BFLOAT16, FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0,
        FLOAT4E2M1, STRING -> throw new IllegalArgumentException("not an integer type: dtype=" + dtype());
    };
  }

  /** The element at a flat index as a {@code double}, for every type. */
  public double doubleAt(long index) {
    return switch (dtype()) {
      case FLOAT32 -> segment.get(ValueLayout.JAVA_FLOAT_UNALIGNED, index * Float.BYTES);
      case FLOAT64 -> segment.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, index * Double.BYTES);
      case FLOAT16 -> Float.float16ToFloat(segment.get(SHORT, index * Short.BYTES));
      case BFLOAT16 -> Float.intBitsToFloat(segment.get(SHORT, index * Short.BYTES) << 16);
      case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 ->
        NarrowElements.value(dtype(), code(index));
      default -> longAt(index);
    };
  }

  private int code(long index) {
    return NarrowElements.code(dtype(), segment, Objects.checkIndex(index, elementCount()));
  }

  /** All elements as {@code long}s, in order. */
  public long[] toLongArray() {
    long[] values = new long[Math.toIntExact(elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = longAt(i);
    }
    return values;
  }

  /** A one-dimensional {@code int64} tensor over Java heap memory. */
  public static TensorView ofLongs(long... values) {
    return new TensorView(TensorType.of(DType.INT64, values.length), MemorySegment.ofArray(values.clone()));
  }

  /** An {@code int64} scalar over Java heap memory. */
  public static TensorView ofLong(long value) {
    return ofLongs(value).reshaped(Shape.SCALAR);
  }

  /** A {@code bool} scalar over Java heap memory. */
  public static TensorView ofBool(boolean value) {
    return new TensorView(TensorType.of(DType.BOOL), MemorySegment.ofArray(new byte[] {(byte) (value ? 1 : 0)}));
  }

  /** A {@code float32} tensor over Java heap memory, copied from {@code values} in row-major order. */
  public static TensorView ofFloats(Shape shape, float... values) {
    return new TensorView(new TensorType(DType.FLOAT32, shape), MemorySegment.ofArray(values.clone()));
  }

  @Override
  public String toString() {
    return "view of " + type;
  }
}
