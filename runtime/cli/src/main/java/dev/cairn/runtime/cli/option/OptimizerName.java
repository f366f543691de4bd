package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.train.optimizer.Optimizer;
import dev.cairn.runtime.train.optimizer.Optimizers;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** The optimizers that the command line offers. */
public enum OptimizerName {
  SGD(Optimizers::sgd),
  NAG(Optimizers::nag),
  ADAM(_ -> Optimizers.adam()),
  ADAMW(_ -> Optimizers.adamW()),
  RMSPROP(_ -> Optimizers.rmsProp()),
  ADAGRAD(_ -> Optimizers.adagrad()),
  LAMB(_ -> Optimizers.lamb()),
  FTRL(_ -> Optimizers.ftrl());

  private final DoubleFunction<Optimizer> maker;

  OptimizerName(DoubleFunction<Optimizer> maker) {
    this.maker = maker;
  }

  /** @param momentum of those that have one */
  public Optimizer optimizer(double momentum) {
    return maker.apply(momentum);
  }

  /** The word that is typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
