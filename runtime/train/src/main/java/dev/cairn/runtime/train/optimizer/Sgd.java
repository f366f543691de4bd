package dev.cairn.runtime.train.optimizer;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.train.schedule.Amount;
import java.util.List;

/**
 * Stochastic gradient descent.
 *
 * <pre>
 * PYTORCH    v = momentum·v + g      w -= rate·v
 * MXNET      v = momentum·v - rate·g     w += v
 * </pre>
 *
 * @param momentum 0 for none; then there is no state
 */
public record Sgd(double momentum, MomentumRule rule) implements UpdateRule {
  public Sgd {
    Amount.requireNotNegative("momentum", momentum);
  }

  @Override
  public String name() {
    return "sgd";
  }

  @Override
  public List<String> states() {
    return momentum == 0 ? List.of() : List.of("momentum");
  }

  @Override
  public <T extends Expression<T>> List<T> update(UpdateTerms<T> terms) {
    T parameter = terms.parameter();
    if (momentum == 0) {
      return List.of(parameter.sub(terms.gradient().mul(terms.rate())));
    }
    T velocity = Nag.velocity(terms, momentum, rule);
    return List.of(rule == MomentumRule.MXNET ? parameter.add(velocity) : parameter.sub(velocity.mul(terms.rate())),
      velocity);
  }
}
