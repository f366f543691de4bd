package dev.cairn.runtime.train.optimizer;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.train.schedule.Amount;
import java.util.List;

/**
 * Follow the regularised leader, which makes many weights exactly zero.
 *
 * <pre>
 * z += g - (√(n + g²) - √n)·w / rate       n += g²
 * w = 0 where |z| ≤ lambda, else (sign(z)·lambda - z) / ((beta + √n) / rate + decay)
 * </pre>
 */
public record Ftrl(double lambda, double beta) implements UpdateRule {
  public Ftrl {
    Amount.requireNotNegative("lambda", lambda);
    Amount.requireNotNegative("beta", beta);
  }

  @Override
  public String name() {
    return "ftrl";
  }

  @Override
  public List<String> states() {
    return List.of("z", "n");
  }

  @Override
  public boolean decaysGradient() {
    return false;
  }

  @Override
  public <T extends Expression<T>> List<T> update(UpdateTerms<T> terms) {
    T gradient = terms.gradient();
    T old = terms.state(1);
    T sum = old.add(gradient.square());
    T root = sum.sqrt();
    T change = root.sub(old.sqrt()).mul(terms.parameter()).div(terms.rate());
    T z = terms.state(0).add(gradient).sub(change);
    T divisor = root.add(beta).div(terms.rate()).add(terms.decay());
    T value = z.sign().mul(lambda).sub(z).div(divisor);
    return List.of(z.abs().le(lambda).where(z.scalar(0), value), z, sum);
  }
}
