package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * How a window moves over images {@code N,C,spatial...}.
 *
 * @param kernel the window's extents
 * @param strides one for each spatial axis, as are the others
 * @param padding on both sides
 */
record Window(List<Long> kernel, List<Long> strides, List<Long> padding, List<Long> dilations) {
  static Window of(long... kernel) {
    int axes = kernel.length;
    return new Window(Arrays.stream(kernel).boxed().toList(), Collections.nCopies(axes, 1L), Collections.nCopies(axes,
      0L), Collections.nCopies(axes, 1L));
  }

  Window withStrides(long... other) {
    return new Window(kernel, each("strides", other), padding, dilations);
  }

  Window withPadding(long... other) {
    return new Window(kernel, strides, each("padding", other), dilations);
  }

  Window withDilations(long... other) {
    return new Window(kernel, strides, padding, each("dilations", other));
  }

  /** One number stands for all axes. */
  private List<Long> each(String what, long... numbers) {
    if (numbers.length != 1 && numbers.length != kernel.size()) {
      throw new IllegalArgumentException("one number is needed, or one for each spatial axis: %s=%s kernel=%s"
        .formatted(what, Arrays.toString(numbers), kernel));
    }
    return numbers.length == 1
      ? Collections.nCopies(kernel.size(), numbers[0])
      : Arrays.stream(numbers).boxed().toList();
  }

  Attributes attributes() {
    long[] pads = new long[2 * kernel.size()];
    for (int i = 0; i < pads.length; i++) {
      pads[i] = padding.get(i % kernel.size());
    }
    return Attributes.NONE.with("kernel_shape", new AttributeValue.Ints(kernel))
      .with("strides", new AttributeValue.Ints(strides)).with("pads", AttributeValue.Ints.of(pads));
  }

  /** The attributes of a convolution, which may be dilated. */
  Attributes dilated() {
    return attributes().with("dilations", new AttributeValue.Ints(dilations));
  }
}
