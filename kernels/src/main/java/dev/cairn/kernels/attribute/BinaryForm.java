package dev.cairn.kernels.attribute;

/**
 * The attributes of elementwise operators of two operands.
 *
 * @param direction of {@code BitShift}: {@code LEFT} or {@code RIGHT}; empty where it is missing, which BitShift does
 *   not admit
 * @param isOfDividend attribute {@code fmod} of {@code Mod}, by default 0: whether a remainder has the dividend's sign,
 *   instead of the divisor's
 */
public record BinaryForm(String direction, boolean isOfDividend) {
  public static BinaryForm of(Attributes attributes) {
    return new BinaryForm(attributes.getText("direction", ""), attributes.getFlag("fmod", false));
  }

  public boolean isLeft() {
    return direction.equals("LEFT");
  }

  public boolean isRight() {
    return direction.equals("RIGHT");
  }
}
