package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;

/** The largest element of each window of images {@code N,C,spatial...}. */
public final class MaxPool extends Layer {
  private final Window window;

  private MaxPool(Window window) {
    this.window = window;
  }

  /** Windows side by side. */
  public static MaxPool of(long... kernel) {
    return new MaxPool(Window.of(kernel).withStrides(kernel));
  }

  public MaxPool stride(long... strides) {
    return new MaxPool(window.withStrides(strides));
  }

  public MaxPool padding(long... padding) {
    return new MaxPool(window.withPadding(padding));
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    return x.call("MaxPool", window.attributes());
  }
}
