package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;

/** The largest element of each window of images {@code N,C,spatial...}. */
public final class MaxPool extends Layer {
  private final Window window;

  private MaxPool(Window window) {
    this.window = window;
  }

  /**
   * Windows side by side, or as far apart as {@link #stride} says. A square window with a stride, such as PyTorch's
   * {@code MaxPool2d(3, 2)}, is {@code window(3, 3).stride(2)}.
   *
   * @param kernel the extent of a window along each axis: {@code window(3, 2)} is 3 rows of 2
   */
  public static MaxPool window(long... kernel) {
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
    return x.maxPool(window.attributes());
  }
}
