package dev.cairn.kernels.catalog;

import dev.cairn.kernels.attribute.DropoutForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;

/**
 * The arguments of a call of {@code Dropout} in training, on every device: {@code Dropout(x, ratio?, training?,
 * random?)}.
 */
public record DropoutCall(KernelCall call) {
  /**
   * The share of elements that become 0.
   *
   * @throws IllegalArgumentException if it is not from 0 to 1
   */
  public double ratio() {
    double ratio = call.has(1) ? call.input(1).doubleAt(0) : 0.5;
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new IllegalArgumentException("the share of dropped elements is from 0 to 1: operator=Dropout ratio="
        + ratio);
    }
    return ratio;
  }

  /** The factor of kept elements, in the type in which devices compute, so that all devices give the same bits. */
  public double scale() {
    double ratio = ratio();
    double scale = ratio == 1 ? 0 : 1 / (1 - ratio);
    return call.input(0).dtype() == DType.FLOAT64 ? scale : (float) scale;
  }

  /** The strides of the random numbers in the data's shape: 0 on axes that share one. */
  public long[] strides() {
    Shape shape = call.input(0).shape();
    long[] extents = shape.extents();
    for (long axis : shared()) {
      extents[shape.axis(axis)] = 1;
    }
    long[] strides = new long[extents.length];
    long stride = 1;
    for (int axis = extents.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride *= extents[axis];
    }
    for (long axis : shared()) {
      strides[shape.axis(axis)] = 0;
    }
    return strides;
  }

  /** The axes along which all elements share one random number. */
  public long[] shared() {
    return DropoutForm.of(call.attributes()).axes();
  }
}
