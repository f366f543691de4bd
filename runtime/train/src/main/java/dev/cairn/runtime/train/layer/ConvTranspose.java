package dev.cairn.runtime.train.layer;

import static dev.cairn.runtime.graph.PartialType.OPEN;

import dev.cairn.runtime.expression.Expression;
import java.util.Arrays;
import java.util.List;

/**
 * A transposed convolution of images {@code N,C,spatial...}. The parameters are {@code weight [in,out,kernel...]} and
 * {@code bias [out]}. Methods that change how it works return a new layer.
 */
public final class ConvTranspose extends Layer {
  private final long channels;
  private final Window window;
  private final Parameter weight;
  private final Parameter bias;

  private ConvTranspose(long channels, Window window) {
    this.channels = channels;
    this.window = window;
    long[] extents = new long[window.kernel().size() + 2];
    Arrays.setAll(extents, i -> i < 2 ? OPEN : window.kernel().get(i - 2));
    extents[1] = channels;
    weight = parameter("weight", null, extents);
    bias = parameter("bias", null, channels);
  }

  /** Over two spatial axes, with a square kernel. */
  public static ConvTranspose convTranspose2d(long channels, long kernel) {
    return of(channels, kernel, kernel);
  }

  /** @param kernel one extent for each spatial axis */
  public static ConvTranspose of(long channels, long... kernel) {
    return new ConvTranspose(channels, Window.of(kernel));
  }

  public ConvTranspose stride(long... strides) {
    return new ConvTranspose(channels, window.withStrides(strides));
  }

  /** The same layer, with the padding of the convolution that this one transposes. */
  public ConvTranspose padding(long... padding) {
    return new ConvTranspose(channels, window.withPadding(padding));
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    return x.convTranspose(window.dilated(), List.of(pass.value(weight), pass.value(bias)));
  }
}
