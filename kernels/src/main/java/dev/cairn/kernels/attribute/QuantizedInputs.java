package dev.cairn.kernels.attribute;

/**
 * The inputs of a product of quantised tensors, by their meaning. An operator without such an input has {@link #NONE}.
 *
 * @param left the left matrix, or the image
 * @param right the right matrix, or the weights of a convolution
 * @param scale the result's scale
 * @param zero the result's zero point
 * @param bias added to the result, before it is quantised
 */
public record QuantizedInputs(int left, int leftScale, int leftZero, int right, int rightScale, int rightZero,
  int scale, int zero, int bias) {
  public static final int NONE = Integer.MAX_VALUE;

  /** {@code MatMulInteger} and {@code ConvInteger}. */
  public static final QuantizedInputs INTEGER = new QuantizedInputs(0, NONE, 2, 1, NONE, 3, NONE, NONE, NONE);
  /** {@code MatMulIntegerToFloat}, of domain com.microsoft. */
  public static final QuantizedInputs TO_FLOAT = new QuantizedInputs(0, 2, 4, 1, 3, 5, NONE, NONE, 6);
  /** {@code QLinearMatMul} and {@code QLinearConv}. */
  public static final QuantizedInputs LINEAR = new QuantizedInputs(0, 1, 2, 3, 4, 5, 6, 7, 8);
}
