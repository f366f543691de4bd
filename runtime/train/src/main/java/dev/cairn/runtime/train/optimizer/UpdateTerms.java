package dev.cairn.runtime.train.optimizer;

import dev.cairn.runtime.expression.Expression;
import java.util.List;
import java.util.Map;

/**
 * The operands of one parameter's update.
 *
 * @param parameter the old value
 * @param gradient rescaled and clipped; decayed where the rule says so
 * @param states the old values of the rule's states, in their order
 * @param factors scalars of the parameter's element type, by name
 * @param decay the weight decay for this parameter
 */
public record UpdateTerms<T extends Expression<T>>(T parameter, T gradient, List<T> states, Map<String, T> factors,
  double decay) {
  public UpdateTerms {
    states = List.copyOf(states);
    factors = Map.copyOf(factors);
  }

  public T state(int index) {
    return states.get(index);
  }

  /** @throws IllegalArgumentException when the rule declares no factor of this name */
  public T factor(String name) {
    T factor = factors.get(name);
    if (factor == null) {
      throw new IllegalArgumentException("no such factor: name=%s factors=%s".formatted(name, factors.keySet()));
    }
    return factor;
  }

  /** The learning rate. */
  public T rate() {
    return factor(UpdateRule.RATE);
  }

  /** A moving mean: {@code keep·mean + (1 - keep)·value}. */
  T moved(T mean, double keep, T value) {
    return mean.mul(keep).add(value.mul(1 - keep));
  }

  /** This expression plus the decayed parameter. */
  T decayed(T term) {
    return decay == 0 ? term : term.add(parameter.mul(decay));
  }
}
