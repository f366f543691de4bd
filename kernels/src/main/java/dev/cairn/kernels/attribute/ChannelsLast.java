package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;

/**
 * Images whose channels are the last axis, {@code N,H,W,C}: the channels of one pixel are adjacent. Libraries compute
 * convolutions fastest in this layout. Models have {@code N,C,H,W}; a pass of the compiler changes them. An operator on
 * such images has the suffix {@code Nhwc}: {@code ConvNhwc} computes {@code Conv} with input and result transposed. Its
 * weights and attributes are those of {@code Conv}.
 */
public final class ChannelsLast {
  /** How many axes an image has. */
  public static final int RANK = 4;
  private static final String SUFFIX = "Nhwc";

  private ChannelsLast() {}

  /** The name of an operator on such images. */
  public static String operator(String onPlainImages) {
    return onPlainImages + SUFFIX;
  }

  /** {@code N,H,W,C} of {@code N,C,H,W}. */
  public static Shape of(Shape plain) {
    return Shape.of(plain.extent(0), plain.extent(2), plain.extent(3), plain.extent(1));
  }

  /** {@code N,C,H,W} of {@code N,H,W,C}. */
  public static Shape plain(Shape channelsLast) {
    return Shape.of(channelsLast.extent(0), channelsLast.extent(3), channelsLast.extent(1), channelsLast.extent(2));
  }

  /** The order of axes in which {@code Transpose} makes {@code N,H,W,C} of {@code N,C,H,W}. */
  public static AttributeValue.Ints fromPlain() {
    return AttributeValue.Ints.of(0, 2, 3, 1);
  }

  /** The order of axes in which {@code Transpose} makes {@code N,C,H,W} of {@code N,H,W,C}. */
  public static AttributeValue.Ints toPlain() {
    return AttributeValue.Ints.of(0, 3, 1, 2);
  }
}
