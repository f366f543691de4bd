package dev.cairn.kernels.tensor;

import java.util.EnumMap;
import java.util.Map;

/**
 * A float type of 8 or 4 bits: what each code means, and the code of a number. Rounding is to nearest, ties to even,
 * and happens once. Formats are those of ONNX: {@code FN} has no infinities, {@code UZ} no negative zero, and
 * {@code E2M1} neither infinities nor NaN. For {@code E8M0} see {@link PowerOfTwo}.
 */
public final class NarrowFloat {
  private static final Map<DType, NarrowFloat> ALL = new EnumMap<>(DType.class);

  static {
    ALL.put(DType.FLOAT8E4M3FN, new NarrowFloat(3, 7, 0x7e, 0x7f, 0x7f));
    ALL.put(DType.FLOAT8E4M3FNUZ, new NarrowFloat(3, 8, 0x7f, 0x80, 0x80));
    ALL.put(DType.FLOAT8E5M2, new NarrowFloat(2, 15, 0x7b, 0x7c, 0x7f));
    ALL.put(DType.FLOAT8E5M2FNUZ, new NarrowFloat(2, 16, 0x7f, 0x80, 0x80));
    ALL.put(DType.FLOAT4E2M1, new NarrowFloat(1, 1, 7, 7, 0));
  }

  private final int sign;
  private final int fraction;
  private final int least;
  private final int most;
  private final int beyond;
  private final int notANumber;
  private final boolean isUnsignedZero;
  private final double[] values;

  /**
   * Describes a format.
   *
   * @param fraction bits of the fraction
   * @param most the code of the largest number
   * @param beyond the code of a larger one that is not saturated
   */
  private NarrowFloat(int fraction, int bias, int most, int beyond, int notANumber) {
    this.sign = Integer.highestOneBit(most) * 2;
    this.fraction = fraction;
    this.least = 1 - bias;
    this.most = most;
    this.beyond = beyond;
    this.notANumber = notANumber;
    this.isUnsignedZero = notANumber == sign;
    this.values = new double[2 * sign];
    for (int code = 0; code < values.length; code++) {
      values[code] = meaning(code);
    }
  }

  /** The format of a type. */
  public static NarrowFloat of(DType dtype) {
    NarrowFloat format = ALL.get(dtype);
    if (format == null) {
      throw new IllegalArgumentException("not a float type of 8 or 4 bits with a fraction: dtype=" + dtype);
    }
    return format;
  }

  private double meaning(int code) {
    int size = code & (sign - 1);
    double signed = code < sign ? 1 : -1;
    if (isUnsignedZero && code == sign) {
      return Double.NaN;
    }
    if (size > most) {
      return size == beyond && beyond != notANumber ? signed * Double.POSITIVE_INFINITY : Double.NaN;
    }
    int exponent = size >> fraction;
    int digits = size & ((1 << fraction) - 1);
    return signed * (exponent == 0
      ? Math.scalb((double) digits, least - fraction)
      : Math.scalb((double) (digits + (1 << fraction)), least + exponent - 1 - fraction));
  }

  /** The number that a code stands for. */
  public double value(int code) {
    return values[code];
  }

  /**
   * The code of a number.
   *
   * @param saturates whether numbers out of range, and infinities, become the largest number, instead of infinity or
   *   NaN
   */
  public int code(double value, boolean saturates) {
    int minus = Double.doubleToRawLongBits(value) < 0 ? sign : 0;
    if (Double.isNaN(value)) {
      return isUnsignedZero ? notANumber : minus | notANumber;
    }
    int size = size(Math.abs(value));
    if (size > most) {
      size = saturates ? most : beyond;
    }
    return isUnsignedZero && (size == 0 || size == beyond) ? size : minus | size;
  }

  /** The code without its sign; larger than {@link #most} when out of range. */
  private int size(double value) {
    int exponent = Math.max(least, Math.getExponent(value));
    if (exponent > Byte.MAX_VALUE) {
      return Integer.MAX_VALUE;
    }
    int units = (int) Math.rint(Math.scalb(value, fraction - exponent));
    // Too large a fraction carries into the exponent, which lies right before it.
    return ((exponent - least) << fraction) + units;
  }
}
