package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;

/** Makes rows of all axes but the first. */
public final class Flatten extends Layer {
  private Flatten() {}

  public static Flatten of() {
    return new Flatten();
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    return x.flatten(1);
  }
}
