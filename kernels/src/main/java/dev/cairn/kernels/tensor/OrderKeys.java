package dev.cairn.kernels.tensor;

/**
 * Elements as whole numbers in the same order, so that one comparison serves every element type. A NaN is greater than
 * every number, all NaNs are equal, and so are the two zeros.
 */
public final class OrderKeys {
  /** The key of a NaN, of real numbers alone: an {@code int64} may have it, too. */
  public static final long NAN = Double.doubleToLongBits(Double.NaN);

  private OrderKeys() {}

  /** The key of the element at a flat index. */
  public static long of(TensorView view, long index) {
    if (view.dtype().isFloat()) {
      return of(view.doubleAt(index));
    }
    return view.longAt(index) ^ (view.dtype() == DType.UINT64 ? Long.MIN_VALUE : 0);
  }

  /** The key of a real number. */
  public static long of(double value) {
    // Adding 0 turns a negative zero into a positive one.
    long bits = Double.doubleToLongBits(value + 0.0);
    return bits ^ ((bits >> 63) & Long.MAX_VALUE);
  }
}
