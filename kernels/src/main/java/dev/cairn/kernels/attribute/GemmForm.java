package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code Gemm(a, b, c?)}: {@code alpha a b + beta c}.
 *
 * @param transA whether {@code a} is given as its transpose
 * @param transB whether {@code b} is given as its transpose
 */
public record GemmForm(float alpha, float beta, boolean transA, boolean transB) {
  public static GemmForm of(Attributes attributes) {
    return new GemmForm(attributes.getFloat("alpha", 1), attributes.getFloat("beta", 1), attributes.getFlag("transA",
      false), attributes.getFlag("transB", false));
  }

  /** Whether the product and {@code c} are added as they are. */
  public boolean hasNoFactors() {
    return alpha == 1 && beta == 1;
  }
}
