package dev.cairn.runtime.operator.gradient;

import java.util.function.Function;

/** Builds the gradients of one operator's operands from those of its results. */
@FunctionalInterface
public interface GradientRule {
  /** Gives nothing: the gradient of every operand is zero. */
  GradientRule ZERO = context -> {};

  /**
   * Calls {@link GradientContext#give} for each operand whose gradient is wanted and is not zero. A rule is called only
   * if a gradient flows to one of the results.
   *
   * @throws NoGradient made by {@link GradientContext#gap}, when the rule does not cover this use of the operator
   */
  void build(GradientContext context);

  /** The gradient of an operator of one operand: the head times a factor. */
  static GradientRule factor(Function<GradientContext, GradientExpression> factor) {
    return g -> g.give(0, g.head().mul(factor.apply(g)));
  }
}
