package dev.cairn.kernels.attribute;

import java.util.Optional;

/**
 * The attributes of {@code RegexFullMatch}.
 *
 * @param pattern empty where it is missing, which the operator does not admit
 */
public record PatternForm(Optional<String> pattern) {
  public static PatternForm of(Attributes attributes) {
    return new PatternForm(CastForm.text(attributes, "pattern"));
  }
}
