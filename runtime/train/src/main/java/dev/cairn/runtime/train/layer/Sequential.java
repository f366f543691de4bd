package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;

/** Layers one after another, named {@code 0}, {@code 1}, ... unless they are added by name. */
public final class Sequential extends Layer {
  private Sequential() {}

  public static Sequential of(Layer... layers) {
    var all = new Sequential();
    for (Layer layer : layers) {
      all.add(layer);
    }
    return all;
  }

  /** Adds a layer under the number of layers before it. */
  public Sequential add(Layer layer) {
    return add(Integer.toString(children().size()), layer);
  }

  /** Adds a layer under a name. */
  public Sequential add(String name, Layer layer) {
    child(name, layer);
    return this;
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    T result = x;
    for (Layer layer : children().values()) {
      result = layer.apply(pass, result);
    }
    return result;
  }
}
