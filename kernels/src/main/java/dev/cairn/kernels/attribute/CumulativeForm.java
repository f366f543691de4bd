package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code CumSum} and {@code CumProd}. Defaults are those of ONNX operator set 22.
 *
 * @param isExclusive attribute {@code exclusive}, by default 0: whether an element itself does not count
 * @param isReversed attribute {@code reverse}, by default 0: whether the running value begins at the end of the axis
 */
public record CumulativeForm(boolean isExclusive, boolean isReversed) {
  public static CumulativeForm of(Attributes attributes) {
    return new CumulativeForm(attributes.getFlag("exclusive", false), attributes.getFlag("reverse", false));
  }
}
