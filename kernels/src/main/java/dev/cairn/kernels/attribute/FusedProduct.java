package dev.cairn.kernels.attribute;

import java.util.Map;

/**
 * A product of matrices or a convolution, and what follows it element by element: input 0 of the program is the
 * product's result, which is kept nowhere. A node's inputs are those of the product, {@link #OPERANDS} with what is
 * left out, and after them inputs 1, 2 … of the program, which stretch to the product's shape. Immutable.
 *
 * <pre> FusedProduct{product="Conv", product.group=2, program="%0 = Add(x0, x1) …; return %0"}(x, w, _, r) </pre>
 *
 * @param operator {@code Conv}, {@code Gemm} or {@code MatMul}
 * @param attributes of the product
 */
public record FusedProduct(String operator, Attributes attributes, PointwiseProgram program) {
  /** The operator of nodes whose attributes are these. */
  public static final String OPERATOR = "FusedProduct";
  /** Inputs of a node that are the product's; the last one may be left out. */
  public static final int OPERANDS = 3;
  private static final String PRODUCT = "product";
  private static final String PREFIX = PRODUCT + ".";

  /**
   * What is written in a node's attributes.
   *
   * @throws IllegalArgumentException when no product is, or a program that can't be read
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

  /** From which {@link #of} makes the same again. */
  public Attributes all() {
    Attributes all = program.attributes().with(PRODUCT, new AttributeValue.Text(operator));
    for (Map.Entry<String, AttributeValue> attribute : attributes.asMap().entrySet()) {
      all = all.with(PREFIX + attribute.getKey(), attribute.getValue());
    }
    return all;
  }

  /** The node's input that is this one of the program, which is not its first. */
  public static int input(int ofProgram) {
    return OPERANDS + ofProgram - 1;
  }
}
