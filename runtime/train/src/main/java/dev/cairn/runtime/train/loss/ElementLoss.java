package dev.cairn.runtime.train.loss;

import dev.cairn.runtime.expression.Expression;
import java.util.List;

/** Losses of each element by itself. */
final class ElementLoss extends Loss {
  private static final double TINY = 1e-12;

  private final Kind kind;
  private final double parameter;

  /** The formulas. */
  enum Kind {
    L1,
    L2,
    SIGMOID_CROSS_ENTROPY,
    BINARY_CROSS_ENTROPY,
    KL,
    HUBER,
    HINGE,
    SQUARED_HINGE,
    LOGISTIC,
    POISSON_LOG,
    POISSON
  }

  ElementLoss(Reduction reduction, Kind kind, double parameter) {
    super(reduction);
    this.kind = kind;
    this.parameter = parameter;
  }

  @Override
  protected <T extends Expression<T>> T each(List<T> operands) {
    T x = operands.get(0);
    T label = operands.get(1);
    return switch (kind) {
      case L1 -> x.sub(label).abs();
      case L2 -> x.sub(label).square().mul(0.5);
      case SIGMOID_CROSS_ENTROPY -> sigmoidCrossEntropy(x, label);
      case BINARY_CROSS_ENTROPY -> binaryCrossEntropy(x, label);
      case KL -> divergence(x, label);
      case HUBER -> huber(x.sub(label).abs());
      case HINGE -> margin(x, label).relu();
      case SQUARED_HINGE -> margin(x, label).relu().square();
      case LOGISTIC -> logistic(x.mul(label).neg());
      case POISSON_LOG -> x.exp().sub(x.mul(label));
      case POISSON -> x.sub(label.mul(x.add(parameter).log()));
    };
  }

  /** {@code max(x, 0) - x·label + log(1 + exp(-|x|))}, whose label's share may be weighted. */
  private <T extends Expression<T>> T sigmoidCrossEntropy(T x, T label) {
    T rest = x.abs().neg().softplus();
    if (parameter == 1) {
      return x.relu().sub(x.mul(label)).add(rest);
    }
    T weight = label.mul(parameter - 1).add(1);
    return x.sub(x.mul(label)).add(weight.mul(rest.add(x.neg().relu())));
  }

  /** {@code log(1 + exp(z))}, for large z too. */
  private static <T extends Expression<T>> T logistic(T z) {
    return z.relu().add(z.abs().neg().softplus());
  }

  /** The loss of probabilities, which are kept away from 0 and 1. */
  private static <T extends Expression<T>> T binaryCrossEntropy(T x, T label) {
    T yes = x.add(TINY).log().mul(label);
    T no = x.neg().add(1).add(TINY).log().mul(label.neg().add(1));
    return yes.add(no).neg();
  }

  /** {@code label·(log label - x)}, and 0 where the label is 0. */
  private static <T extends Expression<T>> T divergence(T x, T label) {
    T isPositive = label.gt(0);
    T safe = isPositive.where(label, label.mul(0).add(1));
    return label.mul(safe.log().sub(x));
  }

  /** Quadratic to the parameter and linear from there. */
  private <T extends Expression<T>> T huber(T distance) {
    return distance.gt(parameter).where(distance.sub(parameter / 2), distance.square().mul(0.5 / parameter));
  }

  private <T extends Expression<T>> T margin(T x, T label) {
    return x.mul(label).neg().add(parameter);
  }
}
