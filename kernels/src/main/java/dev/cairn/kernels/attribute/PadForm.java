package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code Pad}. Defaults are those of ONNX operator set 22.
 *
 * @param mode {@code constant}, by default, {@code reflect}, {@code edge} or {@code wrap}
 */
public record PadForm(String mode) {
  private static final String CONSTANT = "constant";

  public static PadForm of(Attributes attributes) {
    return new PadForm(attributes.getText("mode", CONSTANT));
  }

  /** Whether padding has one value, instead of copies of elements. */
  public boolean isConstant() {
    return mode.equals(CONSTANT);
  }
}
