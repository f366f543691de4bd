package dev.cairn.kernels.attribute;

import java.util.Arrays;

/**
 * The attributes of the windows of a convolution or pool, as a node has them. {@link SlidingWindow} and {@link
 * TransposedWindow} apply them to shapes. Names and defaults are those of ONNX operator set 22.
 *
 * @param kernel attribute {@code kernel_shape}; empty where the node does not have it, so that the weights say it
 * @param strides by spatial axis; empty where the node does not have the attribute, which means 1 for each
 * @param dilations as {@code strides}
 * @param pads before each axis, then after each; empty where the node does not have the attribute, which means 0
 * @param autoPad by default {@code NOTSET}, which means that {@code pads} count
 * @param roundsUp attribute {@code ceil_mode}, by default 0: whether a last window may reach beyond the padding
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record WindowForm(long[] kernel, long[] strides, long[] dilations, long[] pads, String autoPad,
  boolean roundsUp) {
  private static final String EXPLICIT = "NOTSET";

  public static WindowForm of(Attributes attributes) {
    return new WindowForm(attributes.getLongs("kernel_shape"), attributes.getLongs("strides"), attributes.getLongs(
      "dilations"), attributes.getLongs("pads"), attributes.getText("auto_pad", EXPLICIT),
      attributes.getFlag(
        "ceil_mode", false));
  }

  /** Whether {@code pads} count. */
  public boolean isPadded() {
    return autoPad.equals(EXPLICIT);
  }

  /** The strides of so many axes, or what the node has. */
  long[] strides(int rank) {
    return or(strides, rank, 1);
  }

  long[] dilations(int rank) {
    return or(dilations, rank, 1);
  }

  long[] pads(int rank) {
    return or(pads, 2 * rank, 0);
  }

  private static long[] or(long[] given, int count, long absent) {
    if (given.length > 0) {
      return given;
    }
    long[] all = new long[count];
    Arrays.fill(all, absent);
    return all;
  }
}
