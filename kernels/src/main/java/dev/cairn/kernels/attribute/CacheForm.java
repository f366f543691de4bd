package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code TensorScatter}. Defaults are those of ONNX operator set 24.
 *
 * @param axis along which an update is written, by default the last but one
 * @param mode {@code linear}, by default, or {@code circular}
 */
public record CacheForm(long axis, String mode) {
  public static CacheForm of(Attributes attributes) {
    return new CacheForm(attributes.getLong("axis", -2), attributes.getText("mode", "linear"));
  }

  /** Whether an update continues at the beginning of the axis. */
  public boolean isCircular() {
    return mode.equals("circular");
  }
}
