package dev.cairn.conformance;

import dev.cairn.kernels.tensor.TensorView;
import java.util.Locale;

/**
 * How far an output is from the wanted one, by the wanted one's range, and how much the wanted one says at all.
 *
 * @param largest the largest difference of two elements; NaN when either has one
 * @param range greatest wanted element less the least one
 * @param least the least wanted element
 * @param distinct how many wanted elements differ from the one before them
 * @param elements how many elements there are
 */
record RangeError(double largest, double range, double least, long distinct, long elements) {

  /** @throws AssertionError when the types differ */
  static RangeError of(TensorView wanted, TensorView given) {
    if (!wanted.type().equals(given.type())) {
      throw new AssertionError("%s instead of %s".formatted(given.type(), wanted.type()));
    }
    double largest = 0;
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    long distinct = 0;
    double before = Double.NaN;
    for (long i = 0; i < wanted.elementCount(); i++) {
      double value = wanted.doubleAt(i);
      largest = Math.max(largest, Math.abs(given.doubleAt(i) - value));
      least = Math.min(least, value);
      most = Math.max(most, value);
      distinct += value == before ? 0 : 1;
      before = value;
    }
    return new RangeError(largest, most - least, least, distinct, wanted.elementCount());
  }

  double relative() {
    return largest / range;
  }

  /**
   * Whether nearly every element is its own, and they are spread out: not one number over and over with a little
   * noise.
   */
  boolean isTelling() {
    double size = Math.max(Math.abs(least), Math.abs(least + range));
    return Double.isFinite(range) && distinct >= 0.9 * elements && range > 1e-2 * size;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "largest=%.3g range=%.3g relative=%.3g distinct=%d elements=%d", largest, range,
      relative(), distinct, elements);
  }
}
