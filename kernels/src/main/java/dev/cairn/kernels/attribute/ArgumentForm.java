package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code ArgMax} and {@code ArgMin}. Defaults are those of ONNX operator set 22.
 *
 * @param axis by default the first
 * @param keepsAxis attribute {@code keepdims}, by default 1: whether the axis stays with extent 1
 * @param takesLast attribute {@code select_last_index}, by default 0: whether the last of equal elements counts
 */
public record ArgumentForm(long axis, boolean keepsAxis, boolean takesLast) {
  public static ArgumentForm of(Attributes attributes) {
    return new ArgumentForm(attributes.getLong("axis", 0), attributes.getFlag("keepdims", true), attributes.getFlag(
      "select_last_index", false));
  }
}
