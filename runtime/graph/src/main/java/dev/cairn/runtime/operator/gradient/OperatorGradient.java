package dev.cairn.runtime.operator.gradient;

import java.util.Optional;

/**
 * The gradient of an operator, a column of its row.
 *
 * @param rule builds the gradient; empty when there is none, so that asking for one is an error
 * @param reason why the gradient is zero, or why there is none; empty for a rule that builds one
 */
public record OperatorGradient(Optional<GradientRule> rule, String reason) {
  /** No rule and no reason: the row does not mention the gradient. */
  public static final OperatorGradient UNKNOWN = new OperatorGradient(Optional.empty(), "");
  /** Why there is no gradient: one is possible, but not there. */
  public static final String NOT_WRITTEN = "no rule is written yet";
  /** Why an operator that computes a gradient has none. */
  public static final String SECOND_DERIVATIVE = "second derivatives are not built";
  /** Why the gradient of a function that is constant between jumps is zero. */
  public static final String STEPS = "a step function: zero between the steps";
  /** Why the gradient of an operator that reads only shapes and sizes is zero. */
  public static final String OF_SHAPES = "no element of an operand is an element of its result";

  /** A gradient that a rule builds. */
  public static OperatorGradient of(GradientRule rule) {
    return new OperatorGradient(Optional.of(rule), "");
  }

  /** A gradient that is zero wherever it is defined: nothing flows to the operands. */
  public static OperatorGradient zero(String reason) {
    return new OperatorGradient(Optional.of(GradientRule.ZERO), reason);
  }

  /** No gradient. */
  public static OperatorGradient none(String reason) {
    return new OperatorGradient(Optional.empty(), reason);
  }

  /** Whether nothing flows through the operator. */
  public boolean isZero() {
    return rule.filter(GradientRule.ZERO::equals).isPresent();
  }

  /** Why there is no gradient, as errors say it. */
  public String gap() {
    return reason.isEmpty() ? "no gradient" : "no gradient: " + reason;
  }
}
