package dev.cairn.kernels.attribute;

/**
 * The attributes of a causal convolution.
 *
 * @param activation {@code none}, by default, {@code silu} or {@code swish}, which mean the same
 */
public record CausalForm(String activation) {
  private static final String NONE = "none";

  public static CausalForm of(Attributes attributes) {
    return new CausalForm(attributes.getText("activation", NONE));
  }

  /** Whether results are multiplied with their sigmoid. */
  public boolean isActivated() {
    return !activation.equals(NONE);
  }
}
