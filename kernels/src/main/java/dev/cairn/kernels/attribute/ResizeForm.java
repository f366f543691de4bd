package dev.cairn.kernels.attribute;

import java.util.Arrays;

/**
 * The attributes of {@code Resize}. {@link ResizeAxis} applies them to shapes. Defaults are those of ONNX operator set
 * 22.
 *
 * @param mode {@code nearest}, by default, {@code linear} or {@code cubic}
 * @param coordinates attribute {@code coordinate_transformation_mode}, by default {@code half_pixel}
 * @param rounding attribute {@code nearest_mode}, by default {@code round_prefer_floor}, or
 *   {@link ResizeAxis#FLOOR_OR_CEIL}
 * @param cubic attribute {@code cubic_coeff_a}, by default -0.75
 * @param smooths attribute {@code antialias}, by default 0: whether a smaller result has its elements from more of the
 *   operand's
 * @param excludesOutside attribute {@code exclude_outside}, by default 0: whether elements outside have weight 0
 * @param outside attribute {@code extrapolation_value}, by default 0: the value of positions outside, with
 *   {@code tf_crop_and_resize}
 * @param axes the axes that are resized; empty where the node does not have the attribute, which means all
 * @param policy attribute {@code keep_aspect_ratio_policy}, by default {@code stretch}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ResizeForm(String mode, String coordinates, String rounding, float cubic, boolean smooths,
  boolean excludesOutside, float outside, long[] axes, String policy) {
  public static ResizeForm of(Attributes attributes) {
    return new ResizeForm(attributes.getText("mode", "nearest"), attributes.getText("coordinate_transformation_mode",
      "half_pixel"), attributes.getText("nearest_mode", "round_prefer_floor"),
      attributes.getFloat("cubic_coeff_a",
        -0.75f),
      attributes.getFlag("antialias", false), attributes.getFlag("exclude_outside", false), attributes
        .getFloat("extrapolation_value", 0),
      attributes.getLongs("axes"), attributes.getText(
        "keep_aspect_ratio_policy", "stretch"));
  }

  /** Whether each element of the result is one of the operand. */
  public boolean isNearest() {
    return mode.equals("nearest");
  }

  /** Whether a region of the operand is resized. */
  public boolean crops() {
    return coordinates.equals("tf_crop_and_resize");
  }

  /** Whether each axis has its own scale. */
  public boolean stretches() {
    return policy.equals("stretch");
  }

  /** The resized axes of a tensor with this many axes. */
  public long[] axes(int rank) {
    return axes.length > 0 ? axes : all(rank);
  }

  static long[] all(int rank) {
    long[] axes = new long[rank];
    Arrays.setAll(axes, axis -> axis);
    return axes;
  }
}
