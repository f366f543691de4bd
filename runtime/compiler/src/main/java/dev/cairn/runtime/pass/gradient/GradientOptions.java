package dev.cairn.runtime.pass.gradient;

import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.gradient.GradientRule;
import dev.cairn.runtime.operator.gradient.OperatorGradient;
import java.util.HashMap;
import java.util.Map;

/**
 * How gradients are built.
 *
 * @param rules by operator: they take the place of the rules in the operators' rows
 * @param aggregation how the terms of one gradient are added
 * @param mirror which nodes are computed again instead of kept
 */
public record GradientOptions(Map<String, GradientRule> rules, Aggregation aggregation, MirrorChoice mirror) {
  public static final GradientOptions DEFAULT = new GradientOptions(Map.of(), Aggregation.CHAIN, MirrorChoice.NONE);

  public GradientOptions {
    rules = Map.copyOf(rules);
  }

  /** These options with a rule that takes the place of the one in the operator's row. */
  public GradientOptions withRule(String operator, GradientRule rule) {
    Map<String, GradientRule> all = new HashMap<>(rules);
    all.put(operator, rule);
    return new GradientOptions(all, aggregation, mirror);
  }

  public GradientOptions withAggregation(Aggregation other) {
    return new GradientOptions(rules, other, mirror);
  }

  public GradientOptions withMirror(MirrorChoice other) {
    return new GradientOptions(rules, aggregation, other);
  }

  /** The gradient of an operator: by these options, or else by its row. */
  public OperatorGradient gradient(String operator, OperatorTable operators) {
    GradientRule rule = rules.get(operator);
    return rule == null ? operators.facts(operator).gradient() : OperatorGradient.of(rule);
  }
}
