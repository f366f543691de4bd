package dev.cairn.kernels.cpu.reduction;

import dev.cairn.kernels.tensor.DType;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/** How many elements become one: a first value, and how each further element joins it. */
public enum Reduction {
  SUM,
  MEAN,
  PROD,
  MAX,
  MIN,
  /** The sum of absolute values. */
  L1,
  /** The root of the sum of squares. */
  L2,
  SUM_SQUARE,
  LOG_SUM,
  /** The logarithm of the sum of exponentials, which does not overflow; of float types only. */
  LOG_SUM_EXP;

  private static final double LN_2 = Math.log(2);

  /** The number to begin with, which is the reduction of no elements before {@link #finish(double, long)}. */
  double first() {
    return switch (this) {
      case SUM, MEAN, L1, L2, SUM_SQUARE, LOG_SUM -> 0;
      case PROD -> 1;
      case LOG_SUM_EXP -> Double.NEGATIVE_INFINITY;
      case MAX -> Double.NEGATIVE_INFINITY;
      case MIN -> Double.POSITIVE_INFINITY;
    };
  }

  /** Like {@link #first()} for whole numbers: of MAX and MIN, the end of the type's range. */
  long first(DType dtype) {
    return switch (this) {
      case SUM, MEAN, L1, L2, SUM_SQUARE, LOG_SUM, LOG_SUM_EXP -> 0;
      case PROD -> 1;
      case MAX -> dtype.isUnsigned() || dtype == DType.BOOL ? flip(dtype) : -highest(dtype) - 1;
      case MIN -> highest(dtype);
    };
  }

  private static long highest(DType dtype) {
    int bits = dtype == DType.BOOL ? 1 : dtype.bytes() * 8 - (dtype.isUnsigned() && dtype != DType.UINT64 ? 0 : 1);
    return bits == 63 ? Long.MAX_VALUE : (1L << bits) - 1;
  }

  /** Bits to turn over so that signed comparison orders the type's values, before and after. */
  public long flip(DType dtype) {
    return dtype == DType.UINT64 && (this == MAX || this == MIN) ? Long.MIN_VALUE : 0;
  }

  public DoubleBinaryOperator real() {
    return switch (this) {
      case SUM, MEAN, LOG_SUM -> (a, b) -> a + b;
      case PROD -> (a, b) -> a * b;
      case MAX -> Math::max;
      case MIN -> Math::min;
      case L1 -> (a, b) -> a + Math.abs(b);
      case L2, SUM_SQUARE -> (a, b) -> a + b * b;
      case LOG_SUM_EXP -> Reduction::logOfSum;
    };
  }

  /** The logarithm of {@code e^a + e^b}. */
  private static double logOfSum(double a, double b) {
    return a == b ? a + LN_2 : Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
  }

  public LongBinaryOperator whole() {
    return switch (this) {
      case SUM, MEAN, LOG_SUM -> (a, b) -> a + b;
      case PROD -> (a, b) -> a * b;
      case MAX -> Math::max;
      case MIN -> Math::min;
      case L1 -> (a, b) -> a + Math.abs(b);
      case L2, SUM_SQUARE -> (a, b) -> a + b * b;
      case LOG_SUM_EXP -> Reduction::refuse;
    };
  }

  private static long refuse(long a, long b) {
    throw new IllegalArgumentException("no kernel for whole numbers");
  }

  /** The result, of {@code count} elements joined. */
  double finish(double joined, long count) {
    return switch (this) {
      case MEAN -> joined / count;
      case L2 -> Math.sqrt(joined);
      case LOG_SUM -> Math.log(joined);
      case SUM, PROD, MAX, MIN, L1, SUM_SQUARE, LOG_SUM_EXP -> joined;
    };
  }

  /** Like {@link #finish(double, long)}; whole numbers are cut towards zero, and a mean of nothing is 0. */
  long finish(long joined, long count) {
    return switch (this) {
      case MEAN -> joined / Math.max(1, count);
      case L2, LOG_SUM -> (long) finish((double) joined, count);
      case SUM, PROD, MAX, MIN, L1, SUM_SQUARE, LOG_SUM_EXP -> joined;
    };
  }
}
