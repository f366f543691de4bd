package dev.cairn.runtime.operator.gradient;

/** Builds the gradients of one operator's operands from those of its results. */
@FunctionalInterface
public interface GradientRule {
  /** Gives nothing: the gradient of every operand is zero. */
  GradientRule ZERO = context -> {};

  /**
   * Calls {@link GradientContext#give} for each operand whose gradient is wanted and is not zero. A rule is called only
   * if a gradient flows to one of the results.
   *
   * @throws dev.cairn.runtime.operator.UnsupportedOperators made by {@link GradientContext#gap}, when the rule does not
   *   cover this use of the operator
   */
  void build(GradientContext context);
}
