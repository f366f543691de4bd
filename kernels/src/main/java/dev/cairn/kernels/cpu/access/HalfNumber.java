package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Numbers of 16 bits: {@code float16} (IEEE 754 binary16) and {@code bfloat16} (the upper half of a {@code float32}).
 * Rounding is to nearest, ties to even, and happens once whatever the source: wider sources are first narrowed to
 * {@code float} by rounding to odd, which keeps the bits that the second step needs (S. Boldo, G. Melquiond, "When
 * double rounding is odd", 2005).
 */
public final class HalfNumber {
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private HalfNumber() {}

  static short toBfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    int rounded = (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
    return (short) (Float.isNaN(value) ? (bits >>> 16) | 0x40 : rounded);
  }

  static float fromBfloat16(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  /** A number as an element of a float type of at most 32 bits has it. */
  public static float rounded(DType dtype, float value) {
    return switch (dtype) {
      case FLOAT16 -> Float.float16ToFloat(Float.floatToFloat16(value));
      case BFLOAT16 -> fromBfloat16(toBfloat16(value));
      default -> value;
    };
  }

  /** The float next to {@code value} that a further rounding to 16 bits takes to the same number. */
  static float narrowToOdd(double value) {
    float near = (float) value;
    if (near == value || Double.isNaN(value) || Double.isInfinite(value)) {
      return near;
    }
    if (Float.isInfinite(near)) {
      return Math.copySign(Float.MAX_VALUE, near);
    }
    boolean away = Math.abs((double) near) > Math.abs(value);
    int towardsZero = Float.floatToRawIntBits(near) - (away ? 1 : 0);
    return Float.intBitsToFloat(towardsZero | 1);
  }

  /**
   * Writes {@code count} elements of a half type at {@code source} as {@code float32} at {@code target}, from element
   * {@code first}.
   */
  public static void widen(DType half, MemorySegment source, MemorySegment target, long first, long count) {
    if (half == DType.FLOAT16) {
      for (long i = first; i < first + count; i++) {
        target.set(FLOAT, i * Float.BYTES, Float.float16ToFloat(source.get(SHORT, i * Short.BYTES)));
      }
    } else {
      for (long i = first; i < first + count; i++) {
        target.set(FLOAT, i * Float.BYTES, fromBfloat16(source.get(SHORT, i * Short.BYTES)));
      }
    }
  }

  /** The way back of {@link #widen}: rounds to nearest, ties to even. */
  public static void narrow(DType half, MemorySegment source, MemorySegment target, long first, long count) {
    if (half == DType.FLOAT16) {
      for (long i = first; i < first + count; i++) {
        target.set(SHORT, i * Short.BYTES, Float.floatToFloat16(source.get(FLOAT, i * Float.BYTES)));
      }
    } else {
      for (long i = first; i < first + count; i++) {
        target.set(SHORT, i * Short.BYTES, toBfloat16(source.get(FLOAT, i * Float.BYTES)));
      }
    }
  }
}
