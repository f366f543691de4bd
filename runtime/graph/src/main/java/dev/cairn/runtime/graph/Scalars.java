package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Java numbers as scalars of an element type. A whole number must be held exactly. A float or double is rounded
 * to a float type, but not to infinity; for an integer type it must be whole.
 */
public final class Scalars {
  private static final int BFLOAT16_DROPPED_BITS = 16;

  private Scalars() {}

  /** @throws IllegalArgumentException when the type cannot hold the number */
  public static TensorView of(DType dtype, Number value) {
    TensorView scalar = HeapTensor.allocate(new TensorType(dtype, Shape.SCALAR));
    MemorySegment at = scalar.segment();
    if (dtype.isNarrowFloat()) {
      NarrowElements.setNearest(scalar, 0, withinRange(dtype, value));
    } else if (dtype.isFloat()) {
      writeFloat(dtype, value, at);
    } else {
      writeInteger(dtype, value, at);
    }
    if (dtype.isReal() && isWhole(value) && new BigDecimal(scalar.doubleAt(0)).compareTo(exact(value)) != 0) {
      throw refused(dtype, value);
    }
    return scalar;
  }

  /** A number as it is written: a {@code float64} or an {@code int64}. */
  public static TensorView asWritten(Number value) {
    return isWhole(value) ? TensorView.ofLong(value.longValue()) : of(DType.FLOAT64, value);
  }

  private static boolean isWhole(Number value) {
    return !(value instanceof Double || value instanceof Float || value instanceof BigDecimal);
  }

  private static BigDecimal exact(Number value) {
    return value instanceof BigInteger big ? new BigDecimal(big) : new BigDecimal(value.toString());
  }

  /** A number that does not exceed the range of a narrow float type. */
  private static double withinRange(DType dtype, Number value) {
    double wide = value.doubleValue();
    if (Math.abs(rounded(dtype, wide)) < Math.abs(wide) && Math.abs(wide) > NarrowElements.largest(dtype)) {
      throw refused(dtype, value);
    }
    return wide;
  }

  private static void writeFloat(DType dtype, Number value, MemorySegment at) {
    double wide = value.doubleValue();
    if (Double.isInfinite(rounded(dtype, wide)) && !Double.isInfinite(wide)) {
      throw refused(dtype, value);
    }
    switch (dtype) {
      case FLOAT64 -> at.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0, wide);
      case FLOAT32 -> at.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 0, (float) wide);
      case FLOAT16 -> at.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, Float.floatToFloat16((float) wide));
      default -> at.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) bfloat16(wide));
    }
  }

  /** The number of a float type that is nearest to {@code value}. */
  public static double rounded(DType dtype, double value) {
    return switch (dtype) {
      case FLOAT64 -> value;
      case FLOAT32 -> (float) value;
      case FLOAT16 -> Float.float16ToFloat(Float.floatToFloat16((float) value));
      case BFLOAT16 -> Float.intBitsToFloat(bfloat16(value) << BFLOAT16_DROPPED_BITS);
      case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 ->
        NarrowElements.nearest(dtype, value);
      default -> throw new IllegalArgumentException("not a float type: dtype=" + dtype);
    };
  }

  /** Rounded to nearest, ties to even. */
  private static int bfloat16(double value) {
    int bits = Float.floatToRawIntBits((float) value);
    int rounded = (bits + 0x7fff + ((bits >>> BFLOAT16_DROPPED_BITS) & 1)) >>> BFLOAT16_DROPPED_BITS;
    return Double.isNaN(value) ? 0x7fc0 : rounded;
  }

  private static void writeInteger(DType dtype, Number value, MemorySegment at) {
    BigInteger whole;
    try {
      whole = exact(value).toBigIntegerExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw refused(dtype, value);
    }
    int bits = dtype == DType.BOOL ? 1 : dtype.bits();
    boolean unsigned = dtype.isUnsigned() || dtype == DType.BOOL;
    boolean fits = unsigned
      ? whole.signum() >= 0 && whole.bitLength() <= bits
      : whole.bitLength() < bits;
    if (!fits) {
      throw refused(dtype, value);
    }
    long low = whole.longValue();
    switch (dtype.bits()) {
      case Byte.SIZE -> at.set(ValueLayout.JAVA_BYTE, 0, (byte) low);
      case Short.SIZE -> at.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) low);
      case Integer.SIZE -> at.set(ValueLayout.JAVA_INT_UNALIGNED, 0, (int) low);
      case Long.SIZE -> at.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, low);
      default -> NarrowElements.set(dtype, at, 0, (int) low);
    }
  }

  private static IllegalArgumentException refused(DType dtype, Number value) {
    return new IllegalArgumentException("the element type cannot hold this number: dtype=%s value=%s; convert the array"
      .formatted(dtype, value) + " with astype first");
  }
}
