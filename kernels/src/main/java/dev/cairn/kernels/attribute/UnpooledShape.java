package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;

/**
 * The smallest shape whose {@code MaxPool} has a given one: the shape of {@code MaxUnpool} by default.
 */
public final class UnpooledShape {
  private UnpooledShape() {}

  /**
   * Reads {@code kernel_shape}, {@code strides} and {@code pads}.
   *
   * @param pooled {@code N,C,spatial...}
   * @throws IllegalArgumentException when an attribute has a wrong count
   */
  public static Shape of(Attributes attributes, Shape pooled) {
    int rank = pooled.rank() - 2;
    WindowForm form = WindowForm.of(attributes);
    long[] kernel = form.kernel();
    long[] strides = form.strides(Math.max(0, rank));
    long[] pads = form.pads(Math.max(0, rank));
    if (rank < 1 || kernel.length != rank || strides.length != rank || pads.length != 2 * rank) {
      throw new IllegalArgumentException(
        "one value for each spatial axis is needed: input=%s kernel_shape=%s strides=%s"
          .formatted(pooled, Arrays.toString(kernel), Arrays.toString(strides)));
    }
    long[] extents = pooled.extents();
    for (int i = 0; i < rank; i++) {
      long spread = Math.multiplyExact(strides[i], extents[i + 2] - 1);
      extents[i + 2] = Math.addExact(spread, kernel[i]) - pads[i] - pads[i + rank];
    }
    return Shape.of(extents);
  }
}
