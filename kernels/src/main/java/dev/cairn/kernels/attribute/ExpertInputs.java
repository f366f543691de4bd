package dev.cairn.kernels.attribute;

/**
 * Where {@code MoE} and {@code QMoE} have the operands of their products. Input 0 is the tokens, 1 the scores of their
 * experts.
 *
 * @param third the weights of a third product, which is not supported
 * @param shares other scores for the shares of the chosen experts; -1 for none
 * @param normalizes whether shares by the scores always sum to 1, as ONNX Runtime has it, whatever the attribute says
 * @param most how many inputs are known
 */
public record ExpertInputs(Product first, Product second, int third, int shares, boolean normalizes, int most) {
  /** The operands of {@code MoE}. */
  public static final ExpertInputs REAL = new ExpertInputs(new Product(2, -1, 3, -1), new Product(4, -1, 5, -1), 6, -1,
    false, 6);
  /** The operands of {@code QMoE}. */
  public static final ExpertInputs QUANTIZED = new ExpertInputs(new Product(2, 3, 4, 11), new Product(5, 6, 7, 12), 8,
    14, true, 15);

  /**
   * The operands of a product with weights {@code [expert, row, column]}; -1 for one that it never has.
   *
   * @param zeros the zero points
   */
  public record Product(int weights, int scales, int bias, int zeros) {}
}
