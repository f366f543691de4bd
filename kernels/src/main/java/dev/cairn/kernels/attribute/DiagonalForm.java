package dev.cairn.kernels.attribute;

import java.util.Optional;

/**
 * Which diagonal or triangle of a matrix counts. Defaults are those of ONNX operator set 22.
 *
 * @param offset attribute {@code k} of {@code EyeLike}, by default 0: how far above the main diagonal the ones are
 * @param isUpper attribute {@code upper} of {@code Trilu}, by default 1: which triangle stays
 * @param dtype of the result of EyeLike; empty for that of the operand
 */
public record DiagonalForm(long offset, boolean isUpper, Optional<String> dtype) {
  public static DiagonalForm of(Attributes attributes) {
    return new DiagonalForm(attributes.getLong("k", 0), attributes.getFlag("upper", true), CastForm.text(
      attributes, "dtype"));
  }
}
