package dev.cairn.runtime.operator.gradient;

import java.util.Optional;

/**
 * The row of one operator's gradient.
 *
 * @param rule builds the gradient; empty when there is none, so that asking for one is an error
 * @param reason why the gradient is zero, or why there is none; empty for a rule that builds one
 */
public record GradientRow(String operator, Optional<GradientRule> rule, String reason) {
  /** An operator with a gradient. */
  public static GradientRow of(String operator, GradientRule rule) {
    return new GradientRow(operator, Optional.of(rule), "");
  }

  /** An operator whose gradient is zero wherever it is defined: nothing flows to its operands. */
  public static GradientRow zero(String operator, String reason) {
    return new GradientRow(operator, Optional.of(GradientRule.ZERO), reason);
  }

  /** An operator without a gradient. */
  public static GradientRow none(String operator, String reason) {
    return new GradientRow(operator, Optional.empty(), reason);
  }

  /** Whether nothing flows through the operator. */
  public boolean isZero() {
    return rule.filter(GradientRule.ZERO::equals).isPresent();
  }
}
