package dev.cairn.runtime.train.optimizer;

/** The optimizers, with the settings that PyTorch has by default; LAMB and Ftrl with those of MXNet. */
public final class Optimizers {
  private Optimizers() {}

  /** Stochastic gradient descent without momentum. */
  public static Optimizer sgd() {
    return sgd(0);
  }

  /** Stochastic gradient descent. */
  public static Optimizer sgd(double momentum) {
    return Optimizer.of(new Sgd(momentum, MomentumRule.PYTORCH));
  }

  /** Nesterov's accelerated gradient. */
  public static Optimizer nag(double momentum) {
    return Optimizer.of(new Nag(momentum, MomentumRule.PYTORCH));
  }

  public static Optimizer adam() {
    return Optimizer.of(new Adam(0.9, 0.999, 1e-8, EpsilonRule.PYTORCH, false)).rate(1e-3);
  }

  /** Adam with a weight decay of 0.01 that does not pass through the means. */
  public static Optimizer adamW() {
    return Optimizer.of(new Adam(0.9, 0.999, 1e-8, EpsilonRule.PYTORCH, true)).rate(1e-3).weightDecay(0.01);
  }

  public static Optimizer rmsProp() {
    return Optimizer.of(new RmsProp(0.99, 1e-8, false, 0, Double.POSITIVE_INFINITY, EpsilonRule.PYTORCH));
  }

  public static Optimizer adagrad() {
    return Optimizer.of(new Adagrad(1e-10, EpsilonRule.PYTORCH));
  }

  public static Optimizer lamb() {
    return Optimizer.of(new Lamb(0.9, 0.999, 1e-6, 0, Double.POSITIVE_INFINITY)).rate(1e-3);
  }

  public static Optimizer ftrl() {
    return Optimizer.of(new Ftrl(0.01, 1)).rate(0.1);
  }
}
