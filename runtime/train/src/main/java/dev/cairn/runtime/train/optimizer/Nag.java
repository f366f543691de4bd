package dev.cairn.runtime.train.optimizer;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.train.schedule.Amount;
import java.util.List;

/**
 * Nesterov's accelerated gradient, with the velocity of {@link Sgd}.
 *
 * <pre>
 * PYTORCH    w -= rate·(g + momentum·v)
 * MXNET      w += (1 + momentum)·v - momentum·(the old v)
 * </pre>
 */
public record Nag(double momentum, MomentumRule rule) implements UpdateRule {
  public Nag {
    Amount.requireNotNegative("momentum", momentum);
  }

  @Override
  public String name() {
    return "nag";
  }

  @Override
  public List<String> states() {
    return List.of("momentum");
  }

  @Override
  public <T extends Expression<T>> List<T> update(UpdateTerms<T> terms) {
    T velocity = velocity(terms, momentum, rule);
    T parameter = terms.parameter();
    T updated = rule == MomentumRule.MXNET
      ? parameter.add(velocity.mul(1 + momentum).sub(terms.state(0).mul(momentum)))
      : parameter.sub(terms.gradient().add(velocity.mul(momentum)).mul(terms.rate()));
    return List.of(updated, velocity);
  }

  /** The new velocity, from the first state. */
  static <T extends Expression<T>> T velocity(UpdateTerms<T> terms, double momentum, MomentumRule rule) {
    T kept = terms.state(0).mul(momentum);
    return rule == MomentumRule.MXNET
      ? kept.sub(terms.gradient().mul(terms.rate()))
      : kept.add(terms.gradient());
  }
}
