package dev.cairn.kernels;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Locale;

/**
 * How far a result may lie from the reference: {@code relative * max(1, |expected|)}. Whole numbers must be equal; a
 * NaN must meet a NaN, an infinity the same infinity. This is the one place that says so for all kernels.
 *
 * @param relative allowed error, as a part of the expected value (or of 1, for values smaller than that)
 */
public record Tolerance(double relative) {
  public static final Tolerance EXACT = new Tolerance(0);

  /**
   * The tolerance for results of an element type, each of which was computed from {@code length} terms of about size
   * 1: a few roundings of the stored type, and one rounding of the computing type (float32 for halves) a term.
   *
   * @param length terms summed into one element; 1 for an elementwise operation
   */
  public static Tolerance of(DType dtype, long length) {
    return new Tolerance(switch (dtype) {
      case FLOAT64 -> (8 + length) * 0x1p-53;
      case FLOAT32 -> (8 + length) * 0x1p-24;
      case FLOAT16 -> 4 * 0x1p-11 + (8 + length) * 0x1p-24;
      case BFLOAT16 -> 4 * 0x1p-8 + (8 + length) * 0x1p-24;
      default -> 0;
    });
  }

  /** This tolerance for terms of about {@code size} instead of 1. */
  public Tolerance times(double size) {
    return new Tolerance(relative * size);
  }

  public boolean allows(double expected, double actual) {
    if (Double.isNaN(expected) || Double.isNaN(actual)) {
      return Double.isNaN(expected) && Double.isNaN(actual);
    }
    if (Double.isInfinite(expected) || Double.isInfinite(actual)) {
      return expected == actual;
    }
    return Math.abs(expected - actual) <= relative * Math.max(1, Math.abs(expected));
  }

  /** Fails unless both have one type and all elements agree; names the first that does not. */
  public void check(String what, TensorView expected, TensorView actual) {
    if (!expected.type().equals(actual.type())) {
      throw new AssertionError(
        "%s: types differ: expected=%s actual=%s".formatted(what, expected.type(), actual.type()));
    }
    if (expected.segment().mismatch(actual.segment()) == -1) {
      return;
    }
    boolean wide = expected.dtype().isInteger();
    for (long i = 0; i < expected.elementCount(); i++) {
      boolean agree = wide ? expected.longAt(i) == actual.longAt(i) : allows(expected.doubleAt(i), actual.doubleAt(i));
      if (!agree) {
        throw differs(what, i, expected.doubleAt(i), actual);
      }
    }
  }

  /** Fails unless all elements agree with these values in order. */
  public void check(String what, double[] expected, TensorView actual) {
    if (expected.length != actual.elementCount()) {
      throw new AssertionError(
        "%s: counts differ: expected=%d actual=%s".formatted(what, expected.length, actual.type()));
    }
    for (int i = 0; i < expected.length; i++) {
      if (!allows(expected[i], actual.doubleAt(i))) {
        throw differs(what, i, expected[i], actual);
      }
    }
  }

  private AssertionError differs(String what, long index, double expected, TensorView actual) {
    return new AssertionError(String.format(Locale.ROOT, "%s: index=%d type=%s expected=%s actual=%s relative=%.3g",
      what, index, actual.type(), expected, actual.doubleAt(index), relative));
  }
}
