package dev.cairn.conformance;

import static dev.cairn.conformance.RandomModel.ints;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;

/** A random window over the spatial axes of a tensor, for a convolution or a pool, as its attributes. */
final class RandomWindow {
  private final Shape input;
  private final long[] taps;
  private final Attributes attributes;

  RandomWindow(RandomModel model, Shape input, boolean pooling) {
    this.input = input;
    int spatial = input.rank() - 2;
    taps = new long[spatial];
    long[] strides = new long[spatial];
    long[] dilations = new long[spatial];
    long[] pads = new long[2 * spatial];
    for (int i = 0; i < spatial; i++) {
      taps[i] = model.number(1, (int) Math.min(4, input.extent(i + 2)));
      strides[i] = model.number(1, 3);
      dilations[i] = (taps[i] - 1) * 2 + 1 <= input.extent(i + 2) ? model.number(1, 2) : 1;
      pads[i] = model.number(0, pooling ? (int) taps[i] - 1 : 2);
      pads[i + spatial] = model.number(0, pooling ? (int) taps[i] - 1 : 2);
    }
    String padding = model.oneOf("NOTSET", "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER");
    Attributes all = Attributes.NONE.with("auto_pad", RandomOperators.text(padding));
    if (padding.equals("NOTSET")) {
      all = all.with("pads", ints(pads)).with("dilations", ints(dilations));
      all = pooling ? all.with("ceil_mode", model.number(0, 1)) : all;
    } else if (padding.startsWith("SAME")) {
      // Steps wider than the window would need negative padding: see SummingCases.
      Arrays.setAll(strides, i -> Math.min(strides[i], taps[i]));
    }
    attributes = all.with("strides", ints(strides));
  }

  long[] taps() {
    return taps;
  }

  Attributes attributes() {
    return attributes;
  }

  /** The shape of what comes out. */
  long[] results(long batch, long channels) {
    return SlidingWindow.of(attributes, input, taps).outputShape(batch, channels).extents();
  }
}
