package dev.cairn.runtime.train.optimizer;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.train.schedule.Amount;
import java.util.List;

/**
 * Adagrad.
 *
 * <pre>
 * h += g²
 * PYTORCH    w -= rate·g / (√h + epsilon)
 * MXNET      w -= rate·(g / √(h + epsilon) + decay·w), whose gradient is not decayed
 * </pre>
 */
public record Adagrad(double epsilon, EpsilonRule rule) implements UpdateRule {
  public Adagrad {
    Amount.requireNotNegative("epsilon", epsilon);
  }

  @Override
  public String name() {
    return "adagrad";
  }

  @Override
  public List<String> states() {
    return List.of("sum");
  }

  @Override
  public boolean decaysGradient() {
    return rule != EpsilonRule.MXNET;
  }

  @Override
  public <T extends Expression<T>> List<T> update(UpdateTerms<T> terms) {
    T gradient = terms.gradient();
    T sum = terms.state(0).add(gradient.square());
    T step = rule == EpsilonRule.MXNET
      ? terms.decayed(gradient.div(sum.add(epsilon).sqrt())).mul(terms.rate())
      : gradient.mul(terms.rate()).div(sum.sqrt().add(epsilon));
    return List.of(terms.parameter().sub(step), sum);
  }
}
