package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code GridSample}, its gradient and {@code AffineGrid}. Defaults are those of ONNX operator set
 * 22.
 *
 * @param mode {@code linear}, by default, {@code nearest} or {@code cubic}; {@code bilinear} and {@code bicubic} mean
 *   the same
 * @param padding attribute {@code padding_mode}: {@code zeros}, by default, {@code border} or {@code reflection}
 * @param alignsCorners attribute {@code align_corners}, by default 0: whether -1 and 1 are the centres of the outermost
 *   elements, instead of their edges
 */
public record GridForm(String mode, String padding, boolean alignsCorners) {
  public static GridForm of(Attributes attributes) {
    return new GridForm(attributes.getText("mode", "linear"), attributes.getText("padding_mode", "zeros"), attributes
      .getFlag("align_corners", false));
  }
}
