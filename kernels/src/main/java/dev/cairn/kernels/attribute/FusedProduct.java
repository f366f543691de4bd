package dev.cairn.kernels.attribute;

import java.util.Map;

/**
 * A matrix product or convolution, fused with a pointwise program. Input 0 of the program is the product's result,
 * which is never stored. A node's first {@link #OPERANDS} inputs belong to the product, absent ones included. Inputs
 * 1, 2 … of the program follow, and broadcast to the product's shape. Immutable.
 *
 * <pre> FusedProduct{product="Conv", product.group=2, program="%0 = Add(x0, x1) …; return %0"}(x, w, _, r) </pre>
 *
 * @param operator {@code Conv}, {@code Gemm} or {@code MatMul}
 * @param attributes the product's attributes
 */
public record FusedProduct(String operator, Attributes attributes, PointwiseProgram program) {
  /** The operator of nodes with these attributes. */
  public static final String OPERATOR = "FusedProduct";
  /** The number of a node's inputs that belong to the product. The last one may be absent. */
  public static final int OPERANDS = 3;
  private static final String PRODUCT = "product";
  private static final String PREFIX = PRODUCT + ".";

  /**
   * Parses a node's attributes.
   *
   * @throws IllegalArgumentException if they name no product, or the program is malformed
   */
  public static FusedProduct of(Attributes attributes) {
    String operator = attributes.getText(PRODUCT, "");
    if (operator.isEmpty()) {
      throw new IllegalArgumentException("no product is named: attributes=" + attributes);
    }
    Attributes own = Attributes.NONE;
    for (Map.Entry<String, AttributeValue> attribute : attributes.asMap().entrySet()) {
      if (attribute.getKey().startsWith(PREFIX)) {
        own = own.with(attribute.getKey().substring(PREFIX.length()), attribute.getValue());
      }
    }
    return new FusedProduct(operator, own, PointwiseProgram.of(attributes));
  }

  /** The node's attributes, which {@link #of} parses. */
  public Attributes all() {
    Attributes all = program.attributes().with(PRODUCT, new AttributeValue.Text(operator));
    for (Map.Entry<String, AttributeValue> attribute : attributes.asMap().entrySet()) {
      all = all.with(PREFIX + attribute.getKey(), attribute.getValue());
    }
    return all;
  }

  /** The index of the node's input that is input {@code ofProgram} of the program, which is at least 1. */
  public static int input(int ofProgram) {
    return OPERANDS + ofProgram - 1;
  }
}
