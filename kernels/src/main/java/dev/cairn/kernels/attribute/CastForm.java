package dev.cairn.kernels.attribute;

import java.util.Optional;

/**
 * The attributes of {@code Cast}, {@code CastLike} and {@code BitCast}. Defaults are those of ONNX operator set 24.
 *
 * @param to the name of the element type, in lower case; empty where the attribute is missing, as CastLike has it
 * @param saturates by default 1: whether numbers beyond a narrow float's range become its largest one
 * @param rounding attribute {@code round_mode}, by default {@code up}: how {@code float8e8m0} rounds
 */
public record CastForm(String to, boolean saturates, String rounding) {
  public static CastForm of(Attributes attributes) {
    return new CastForm(attributes.getText("to", ""), attributes.getFlag("saturate", true), attributes.getText(
      "round_mode", "up"));
  }

  /** The text of an attribute, if the node has it. */
  static Optional<String> text(Attributes attributes, String name) {
    return attributes.has(name) ? Optional.of(attributes.getText(name, "")) : Optional.empty();
  }
}
