package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code Gelu}.
 *
 * @param approximation attribute {@code approximate}: {@code none}, by default, or {@code tanh}
 */
public record GeluForm(String approximation) {
  private static final String NONE = "none";

  public static GeluForm of(Attributes attributes) {
    return new GeluForm(attributes.getText("approximate", NONE));
  }

  public boolean isExact() {
    return approximation.equals(NONE);
  }

  public boolean isByTanh() {
    return approximation.equals("tanh");
  }
}
