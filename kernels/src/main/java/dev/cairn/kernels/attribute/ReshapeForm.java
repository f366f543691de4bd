package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code Reshape}.
 *
 * @param zeroIsExtent attribute {@code allowzero}, by default 0: whether 0 is an extent, instead of the operand's
 *   extent at that place
 */
public record ReshapeForm(boolean zeroIsExtent) {
  public static ReshapeForm of(Attributes attributes) {
    return new ReshapeForm(attributes.getFlag("allowzero", false));
  }
}
