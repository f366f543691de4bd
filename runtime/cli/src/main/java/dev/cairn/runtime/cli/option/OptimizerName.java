package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.train.optimizer.Optimizer;
import dev.cairn.runtime.train.optimizer.Optimizers;
import java.util.Locale;

/** The optimizers that the command line offers. */
public enum OptimizerName {
  SGD,
  NAG,
  ADAM,
  ADAMW,
  RMSPROP,
  ADAGRAD,
  LAMB,
  FTRL;

  /** @param momentum of those that have one */
  public Optimizer optimizer(double momentum) {
    return switch (this) {
      case SGD -> Optimizers.sgd(momentum);
      case NAG -> Optimizers.nag(momentum);
      case ADAM -> Optimizers.adam();
      case ADAMW -> Optimizers.adamW();
      case RMSPROP -> Optimizers.rmsProp();
      case ADAGRAD -> Optimizers.adagrad();
      case LAMB -> Optimizers.lamb();
      case FTRL -> Optimizers.ftrl();
    };
  }

  /** The word that is typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
