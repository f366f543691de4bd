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
  /** Together with {@link #HALF} or {@link #FOLLOWS_HALF}: a use with several results is computed in 16 bits, too. */
  ALL_RESULTS_IN_HALF,
  /** A product or convolution, into which the element functions that follow it can be fused. */
  PRODUCT,
  /** The result has the first input's elements in their order, in another shape. */
  RESHAPES,
  /**
   * Applied to quantised bytes, the operator gives the bytes of what it gives for the real numbers: it moves elements
   * or takes the largest ones. Every device has kernels of bytes for it.
   */
  MOVES_QUANTIZED,
  /** A list of numbers that the operator reads may be a parameter of a layer: a bias or a scale. */
  WEIGHT_LISTS,
  /** An operator between quantized tensors does the same: its name is that of this operator after {@code QLinear}. */
  HAS_QLINEAR,
  /** MXNet's mirroring keeps the results, as it keeps those of products, and never computes them again. */
  UNMIRRORED,
  /** A product that gradients need: it is computed in {@code float32} where the device is slow in 16 bits. */
  WIDENS,
  /** The operator makes shares of scores: a number far below the others leaves its element out. */
  SOFTMAX,
  /** An operand may be a mask, whose numbers are far from any score where it leaves elements out. */
  MASKS,
  /** The result has each element of the first input once, perhaps with its axes in another order. */
  PERMUTES
}
