package dev.cairn.kernels.cpu.elementwise;

/**
 * The error function in {@code double}, to some units in the last place. Below 2.5 by the series of positive terms
 * {@code erf(x) = 2/sqrt(pi) e^(-x^2) (x + 2x^3/3 + 4x^5/15 + ...)}, above by the continued fraction of the
 * complement (NIST Digital Library of Mathematical Functions, 7.6.2 and 7.9.1).
 */
final class ErrorFunction {
  private static final double TWO_OVER_ROOT_PI = 1.1283791670955126;
  private static final double SERIES_END = 2.5;
  private static final double ERFC_UNDERFLOW = 27.3;

  private ErrorFunction() {}

  static double erf(double x) {
    double size = Math.abs(x);
    return size < SERIES_END || Double.isNaN(x) ? series(x) : Math.copySign(1 - fraction(size), x);
  }

  /** {@code 1 - erf(x)}, with little relative error also where it is small. */
  static double erfc(double x) {
    if (x >= SERIES_END) {
      return fraction(x);
    }
    return x <= -SERIES_END ? 2 - fraction(-x) : 1 - series(x);
  }

  private static double series(double x) {
    double term = x;
    double sum = x;
    for (int n = 1; Math.abs(term) > Math.abs(sum) * 0x1p-60; n++) {
      term *= 2 * x * x / (2 * n + 1);
      sum += term;
    }
    return TWO_OVER_ROOT_PI * Math.exp(-x * x) * sum;
  }

  private static double fraction(double x) {
    if (x > ERFC_UNDERFLOW) {
      return 0;
    }
    double tail = 0;
    for (int n = 80; n > 0; n--) {
      tail = n / 2.0 / (x + tail);
    }
    return TWO_OVER_ROOT_PI / 2 * Math.exp(-x * x) / (x + tail);
  }
}
