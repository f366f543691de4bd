package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;
import org.jspecify.annotations.Nullable;

/** The mean of each window of images {@code N,C,spatial...}; padding counts, as in PyTorch. */
public final class AvgPool extends Layer {
  private final @Nullable Window window;

  private AvgPool(@Nullable Window window) {
    this.window = window;
  }

  /**
   * Windows side by side, or as far apart as {@link #stride} says. A square window with a stride, such as PyTorch's
   * {@code AvgPool2d(3, 2)}, is {@code window(3, 3).stride(2)}.
   *
   * @param kernel the extent of a window along each axis: {@code window(3, 2)} is 3 rows of 2
   */
  public static AvgPool window(long... kernel) {
    return new AvgPool(Window.of(kernel).withStrides(kernel));
  }

  /** One window over the whole image: the result is {@code N,C,1...}. */
  public static AvgPool global() {
    return new AvgPool(null);
  }

  public AvgPool stride(long... strides) {
    return new AvgPool(sized().withStrides(strides));
  }

  public AvgPool padding(long... padding) {
    return new AvgPool(sized().withPadding(padding));
  }

  private Window sized() {
    if (window == null) {
      throw new IllegalStateException("a global pool has no stride and no padding");
    }
    return window;
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    return window == null
      ? x.globalAvgPool()
      : x.avgPool(window.attributes().with("count_include_pad", 1));
  }
}
