package dev.cairn.runtime.train.optimizer;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.train.schedule.Amount;
import java.util.List;
import java.util.Map;

/**
 * LAMB: Adam whose step is scaled to the norm of the parameter.
 *
 * <pre>
 * m, v as Adam          r = m^ / (√v^ + epsilon) + decay·w
 * q = clamp(|w|, lower, upper) / |r|, or 1 where a norm is 0
 * w -= rate·q·r
 * </pre>
 *
 * @param lower the least norm that a parameter counts as
 * @param upper the largest; may be infinite
 */
public record Lamb(double beta1, double beta2, double epsilon, double lower, double upper) implements UpdateRule {
  private static final String FIRST = "first";
  private static final String ROOT = "root";

  public Lamb {
    Amount.requireBelowOne("beta1", beta1);
    Amount.requireBelowOne("beta2", beta2);
    Amount.requireNotNegative("epsilon", epsilon);
    Amount.requireNotNegative("lower", lower);
    if (!(upper >= lower)) {
      throw new IllegalArgumentException("norms lie between two bounds: lower=%s upper=%s".formatted(lower, upper));
    }
  }

  @Override
  public String name() {
    return "lamb";
  }

  @Override
  public List<String> states() {
    return List.of("m", "v");
  }

  @Override
  public boolean decaysGradient() {
    return false;
  }

  @Override
  public Map<String, Double> factors(double rate, long number) {
    double first = 1 - Math.pow(beta1, (double) number);
    double second = 1 - Math.pow(beta2, (double) number);
    return Map.of(RATE, rate, FIRST, 1 / first, ROOT, 1 / Math.sqrt(second));
  }

  @Override
  public <T extends Expression<T>> List<T> update(UpdateTerms<T> terms) {
    T mean = terms.moved(terms.state(0), beta1, terms.gradient());
    T square = terms.moved(terms.state(1), beta2, terms.gradient().square());
    T step = terms.decayed(mean.mul(terms.factor(FIRST)).div(square.sqrt().mul(terms.factor(ROOT)).add(epsilon)));
    T norm = terms.parameter().norm();
    T stepNorm = step.norm();
    T clamped = norm.maximum(norm.scalar(lower));
    clamped = Double.isInfinite(upper) ? clamped : clamped.minimum(norm.scalar(upper));
    T ratio = norm.gt(0).logicalAnd(stepNorm.gt(0)).where(clamped.div(stepNorm), norm.scalar(1));
    return List.of(terms.parameter().sub(step.mul(ratio.mul(terms.rate()))), mean, square);
  }
}
