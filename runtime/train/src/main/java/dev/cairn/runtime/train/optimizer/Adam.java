package dev.cairn.runtime.train.optimizer;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.train.schedule.Amount;
import java.util.List;
import java.util.Map;

/**
 * Adam, and AdamW, which decays the parameter instead of the gradient.
 *
 * <pre>
 * m = beta1·m + (1 - beta1)·g         m^ = m / (1 - beta1^t)
 * v = beta2·v + (1 - beta2)·g²        v^ = v / (1 - beta2^t)
 * AdamW only: w -= rate·decay·w
 * PYTORCH     w -= rate·m^ / (√v^ + epsilon)
 * MXNET       w -= rate·√(1 - beta2^t)/(1 - beta1^t)·m / (√v + epsilon)
 * </pre>
 *
 * @param decoupled whether the parameter decays instead of the gradient: AdamW
 */
public record Adam(double beta1, double beta2, double epsilon, EpsilonRule rule,
  boolean decoupled) implements UpdateRule {
  private static final String STEP = "step";
  private static final String ROOT = "root";

  public Adam {
    Amount.requireBelowOne("beta1", beta1);
    Amount.requireBelowOne("beta2", beta2);
    Amount.requireNotNegative("epsilon", epsilon);
  }

  @Override
  public String name() {
    return decoupled ? "adamw" : "adam";
  }

  @Override
  public List<String> states() {
    return List.of("m", "v");
  }

  @Override
  public boolean decaysGradient() {
    return !decoupled;
  }

  @Override
  public Map<String, Double> factors(double rate, long number) {
    double first = 1 - Math.pow(beta1, (double) number);
    double root = Math.sqrt(1 - Math.pow(beta2, (double) number));
    return rule == EpsilonRule.MXNET
      ? Map.of(RATE, rate, STEP, rate * root / first)
      : Map.of(RATE, rate, STEP, rate / first, ROOT, 1 / root);
  }

  @Override
  public boolean isRate(String factor) {
    return !factor.equals(ROOT);
  }

  @Override
  public <T extends Expression<T>> List<T> update(UpdateTerms<T> terms) {
    T mean = terms.moved(terms.state(0), beta1, terms.gradient());
    T square = terms.moved(terms.state(1), beta2, terms.gradient().square());
    T root = rule == EpsilonRule.MXNET ? square.sqrt() : square.sqrt().mul(terms.factor(ROOT));
    T parameter = terms.parameter();
    T decayed = decoupled && terms.decay() != 0
      ? parameter.sub(parameter.mul(terms.rate().mul(terms.decay())))
      : parameter;
    return List.of(decayed.sub(mean.mul(terms.factor(STEP)).div(root.add(epsilon))), mean, square);
  }
}
