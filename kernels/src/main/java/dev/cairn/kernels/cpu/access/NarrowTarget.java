package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.CastForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowFloat;
import dev.cairn.kernels.tensor.PowerOfTwo;

/**
 * Makes elements of a narrow float type out of numbers. Attribute {@code saturate}, 1 if absent, decides whether
 * numbers out of range become the largest one, or infinity or NaN. For {@code float8e8m0}, attribute
 * {@code round_mode}, {@code up} if absent, says how a number between two powers of two is rounded.
 */
@FunctionalInterface
public interface NarrowTarget {
  /** The code of one number. */
  int code(double value);

  /** The conversion to a type; to any other type than a narrow float it must not be used. */
  static NarrowTarget of(DType dtype, Attributes attributes) {
    CastForm form = CastForm.of(attributes);
    boolean saturates = form.saturates();
    if (dtype == DType.FLOAT8E8M0) {
      var rounding = PowerOfTwo.Rounding.of(form.rounding());
      return value -> PowerOfTwo.code(value, rounding, saturates);
    }
    if (dtype.isNarrowFloat()) {
      NarrowFloat format = NarrowFloat.of(dtype);
      return value -> format.code(value, saturates);
    }
    return _ -> {
      throw new IllegalStateException("not a narrow float type: dtype=" + dtype);
    };
  }

  /** The codes of several numbers. */
  default void codes(double[] values, long[] codes, int count) {
    for (int i = 0; i < count; i++) {
      codes[i] = code(values[i]);
    }
  }
}
