package dev.cairn.runtime.operator;

/** A fact of an operator that either holds or does not. */
public enum OperatorTrait {
  /** A product, which multiplies in 16 bits when the graph is computed in 16 bits. */
  HALF,
  /**
   * The operator is computed in 16 bits when its operands are. Operators without this trait and {@link #HALF} stay in
   * {@code float32}.
   */
  FOLLOWS_HALF,
  /** A product or convolution, into which the element functions that follow it can be fused. */
  PRODUCT,
  /** The result has the first input's elements in their order, in another shape. */
  RESHAPES,
  /**
   * Applied to quantised bytes, the operator gives the bytes of what it gives for the real numbers: it moves elements
   * or takes the largest ones. Every device has kernels of bytes for it.
   */
  MOVES_QUANTIZED,
  /** There is an operator that does the same between quantised bytes. */
  HAS_QUANTIZED,
  /** A product that gradients need: it is computed in {@code float32} where the device is slow in 16 bits. */
  WIDENS,
  /** All results have the element type of the first operand, or of whole numbers whatever that type is. */
  RESULTS_ALIKE,
  /** Makes shares of scores: a number far below the others leaves its element out. */
  SOFTMAX,
  /** An operand may be a mask, whose numbers are far from any score where it leaves elements out. */
  MASKS,
  /** The result has each element of the first input once, perhaps with its axes in another order. */
  PERMUTES,
  /** The result is a boolean, whatever the operands' element type is. */
  COMPARES,
  /** The first result has the first input's type. Elementwise operators of one operand need not say so. */
  KEEPS_TYPE,
  /** Combines elements along axes. */
  REDUCES,
  /** MXNet does not run the operator again for gradients, though it is no product. */
  NOT_MIRRORED
}
