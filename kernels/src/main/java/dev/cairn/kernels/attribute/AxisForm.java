package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;

/**
 * The attribute {@code axis} of operators that have no form with further attributes. Defaults are those of ONNX
 * operator set 22.
 *
 * @param axis negative counts from the last one
 * @param isGiven whether the node has the attribute
 */
public record AxisForm(long axis, boolean isGiven) {

  /** The axis of {@code Softmax}, {@code LogSoftmax}, {@code Hardmax} and {@code OneHot}, by default the last. */
  public static AxisForm ofLines(Attributes attributes) {
    return of(attributes, -1);
  }

  /**
   * The form of {@code Concat}, {@code Split}, {@code Gather}, {@code GatherElements}, {@code ScatterElements} and the
   * operators of sequences; the axis is by default the first. {@code Compress} and {@code Unique} without an axis take
   * elements; Concat needs one.
   */
  public static AxisForm ofParts(Attributes attributes) {
    return of(attributes, 0);
  }

  /** The axis of {@code Flatten}, by default 1. */
  public static AxisForm ofFlatten(Attributes attributes) {
    return of(attributes, 1);
  }

  private static AxisForm of(Attributes attributes, long absent) {
    return new AxisForm(attributes.getLong("axis", absent), attributes.has("axis"));
  }

  /** The axis as an index into a shape. */
  public int of(Shape shape) {
    return shape.axis(axis);
  }
}
