package dev.cairn.kernels.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Elements of {@linkplain DType#isNarrow() narrow} types in memory. A code is the bits of one element, without a sign.
 * Several elements of fewer than 8 bits share a byte: the first has its low bits, and a tensor starts at a byte. Bits
 * behind the last element are 0 when kernels write them, and are never read.
 */
public final class NarrowElements {
  private NarrowElements() {}

  /** The bits of the element at a flat index. */
  public static int code(DType dtype, MemorySegment segment, long index) {
    if (!dtype.isPacked()) {
      return segment.get(ValueLayout.JAVA_BYTE, index) & 0xff;
    }
    int perByte = dtype.perByte();
    int whole = segment.get(ValueLayout.JAVA_BYTE, Math.floorDiv(index, perByte));
    return (whole >> (int) (index % perByte * dtype.bits())) & mask(dtype);
  }

  /** Sets the element at a flat index. Other threads must not write to the same byte meanwhile. */
  public static void set(DType dtype, MemorySegment segment, long index, int code) {
    if (!dtype.isPacked()) {
      segment.set(ValueLayout.JAVA_BYTE, index, (byte) code);
      return;
    }
    int perByte = dtype.perByte();
    long at = Math.floorDiv(index, perByte);
    int shift = (int) (index % perByte * dtype.bits());
    int others = segment.get(ValueLayout.JAVA_BYTE, at) & ~(mask(dtype) << shift);
    segment.set(ValueLayout.JAVA_BYTE, at, (byte) (others | (code & mask(dtype)) << shift));
  }

  /** Sets the bits behind the last element of a packed tensor to 0. */
  public static void clearPadding(TensorView view) {
    int used = (int) (view.elementCount() % view.dtype().perByte()) * view.dtype().bits();
    if (used > 0) {
      long last = view.segment().byteSize() - 1;
      int kept = view.segment().get(ValueLayout.JAVA_BYTE, last) & (1 << used) - 1;
      view.segment().set(ValueLayout.JAVA_BYTE, last, (byte) kept);
    }
  }

  /** All bits of one element. */
  public static int mask(DType dtype) {
    return (1 << dtype.bits()) - 1;
  }

  /** The number that a code of an integer type stands for. */
  public static long whole(DType dtype, int code) {
    return switch (dtype) {
      case INT4 -> (long) ((code ^ 8) - 8);
      case INT2 -> (long) ((code ^ 2) - 2);
      case UINT4, UINT2 -> code;
      default -> throw new IllegalArgumentException("not an integer type: dtype=" + dtype);
    };
  }

  /** The number that a code stands for. */
  public static double value(DType dtype, int code) {
    return switch (dtype) {
      case FLOAT8E8M0 -> PowerOfTwo.value(code);
      case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT4E2M1 -> NarrowFloat.of(dtype).value(code);
      default -> whole(dtype, code);
    };
  }

  /** Sets an element to the nearest number of its type; numbers out of range become the nearest end of the range. */
  public static void setNearest(TensorView view, long index, double value) {
    set(view.dtype(), view.segment(), index, nearestCode(view.dtype(), value));
  }

  /** The number of a type that is nearest to {@code value}. */
  public static double nearest(DType dtype, double value) {
    return value(dtype, nearestCode(dtype, value) & mask(dtype));
  }

  /** The largest number of a type. */
  public static double largest(DType dtype) {
    return nearest(dtype, Double.POSITIVE_INFINITY);
  }

  /** The code of the nearest number; higher bits may be set. */
  private static int nearestCode(DType dtype, double value) {
    return switch (dtype) {
      case FLOAT8E8M0 -> PowerOfTwo.code(value, PowerOfTwo.Rounding.NEAREST, true);
      case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT4E2M1 ->
        NarrowFloat.of(dtype).code(value, true);
      case INT4, INT2 -> Math.clamp((long) Math.rint(value), -(mask(dtype) + 1) / 2, mask(dtype) / 2);
      default -> Math.clamp((long) Math.rint(value), 0, mask(dtype));
    };
  }

  /** Writes elements {@code [first, end)} of a tensor as one byte each, without a sign. */
  public static void unpack(TensorView from, MemorySegment bytes, long first, long end) {
    for (long i = first; i < end; i++) {
      bytes.set(ValueLayout.JAVA_BYTE, i, (byte) code(from.dtype(), from.segment(), i));
    }
  }

  /** The way back of {@link #unpack}; {@code first} starts a byte, and {@code end} ends one, or the tensor. */
  public static void pack(MemorySegment bytes, TensorView to, long first, long end) {
    int perByte = to.dtype().perByte();
    for (long at = first; at < end; at += perByte) {
      int packed = 0;
      for (int i = 0; i < perByte && at + i < end; i++) {
        packed |= (bytes.get(ValueLayout.JAVA_BYTE, at + i) & mask(to.dtype())) << (i * to.dtype().bits());
      }
      to.segment().set(ValueLayout.JAVA_BYTE, at / perByte, (byte) packed);
    }
  }
}
