package dev.cairn.kernels.cpu.elementwise;

/** Inverse hyperbolic functions, which Java lacks, in {@code double}. Small results keep their precision. */
public final class InverseHyperbolic {
  /** From here on the square of a number plus 1 is the square. */
  private static final double LARGE = 0x1p28;
  private static final double LN_2 = Math.log(2);

  private InverseHyperbolic() {}

  public static double asinh(double x) {
    double size = Math.abs(x);
    double result = size > LARGE
      ? Math.log(size) + LN_2
      : Math.log1p(size + size * size / (1 + Math.sqrt(1 + size * size)));
    return Math.copySign(result, x);
  }

  /** NaN below 1. */
  public static double acosh(double x) {
    double above = x - 1;
    return x > LARGE ? Math.log(x) + LN_2 : Math.log1p(above + Math.sqrt(above * (above + 2)));
  }

  /** Infinite at 1 and -1, NaN beyond. */
  public static double atanh(double x) {
    double size = Math.abs(x);
    return Math.copySign(0.5 * Math.log1p(2 * size / (1 - size)), x);
  }
}
