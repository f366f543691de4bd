package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code TopK}. Defaults are those of ONNX operator set 22. Its attribute {@code sorted} is not read:
 * results are always sorted.
 *
 * @param axis by default the last
 * @param largest by default 1: whether the largest elements are taken, or the smallest
 */
public record TopForm(long axis, boolean largest) {
  public static TopForm of(Attributes attributes) {
    return new TopForm(attributes.getLong("axis", -1), attributes.getFlag("largest", true));
  }
}
