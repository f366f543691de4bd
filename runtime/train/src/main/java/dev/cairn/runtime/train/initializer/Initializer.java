package dev.cairn.runtime.train.initializer;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.resource.RandomState;

/** Gives a parameter its first values. */
@FunctionalInterface
public interface Initializer {
  /**
   * Fills a tensor of floats.
   *
   * @param name the parameter's path, such as {@code fc1.weight}
   * @param values where the values go
   * @param random where random numbers come from; an initializer takes at most one draw
   * @throws IllegalArgumentException when it cannot fill a tensor of this type
   */
  void fill(String name, TensorView values, RandomState random);

  /** Whether it decides by the path what each parameter gets, biases too. Others are asked for weights alone. */
  default boolean choosesByPath() {
    return false;
  }
}
