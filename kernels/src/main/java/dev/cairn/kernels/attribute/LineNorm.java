package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code LpNormalization}, which divides lines by their norm. Defaults are those of ONNX operator set
 * 22.
 *
 * @param axis of the lines, by default the last
 * @param order attribute {@code p}, by default 2: which norm, 1 or 2
 */
public record LineNorm(long axis, long order) {
  public static LineNorm of(Attributes attributes) {
    return new LineNorm(attributes.getLong("axis", -1), attributes.getLong("p", 2));
  }

  /** Whether the norm is the root of the sum of squares. */
  public boolean squares() {
    return order == 2;
  }
}
