package dev.cairn.kernels.cpu;

import dev.cairn.kernels.tensor.DType;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/** How many elements become one: a first value, and how each further element joins it. */
public enum Reduction {
  SUM,
  MEAN,
  PROD,
  MAX,
  MIN;

  /** What nothing at all gives, before {@link #finish(double, long)}. */
  double first() {
    return switch (this) {
      case SUM, MEAN -> 0;
      case PROD -> 1;
      case MAX -> Double.NEGATIVE_INFINITY;
      case MIN -> Double.POSITIVE_INFINITY;
    };
  }

  /** As {@link #first()} for whole numbers: of MAX and MIN, the end of the type's range. */
  long first(DType dtype) {
    return switch (this) {
      case SUM, MEAN -> 0;
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
  long flip(DType dtype) {
    return dtype == DType.UINT64 && (this == MAX || this == MIN) ? Long.MIN_VALUE : 0;
  }

  DoubleBinaryOperator real() {
    return switch (this) {
      case SUM, MEAN -> (a, b) -> a + b;
      case PROD -> (a, b) -> a * b;
      case MAX -> Math::max;
      case MIN -> Math::min;
    };
  }

  LongBinaryOperator whole() {
    return switch (this) {
      case SUM, MEAN -> (a, b) -> a + b;
      case PROD -> (a, b) -> a * b;
      case MAX -> Math::max;
      case MIN -> Math::min;
    };
  }

  /** The result, of {@code count} elements joined. */
  double finish(double joined, long count) {
    return this == MEAN ? joined / count : joined;
  }

  /** As {@link #finish(double, long)}; a mean of whole numbers is cut towards zero, and 0 of nothing. */
  long finish(long joined, long count) {
    return this == MEAN ? joined / Math.max(1, count) : joined;
  }
}
