package dev.cairn.runtime.train.layer;

import static dev.cairn.runtime.graph.PartialType.OPEN;

import dev.cairn.runtime.expression.Expression;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A convolution of images {@code N,C,spatial...}. The parameters are {@code weight [out,in/groups,kernel...]} and
 * {@code bias [out]}. Methods that change how it works return a new layer.
 */
public final class Conv extends Layer {
  private final long channels;
  private final Window window;
  private final long groups;
  private final Parameter weight;
  private final @Nullable Parameter bias;

  private Conv(long channels, Window window, long groups, boolean hasBias) {
    this.channels = channels;
    this.window = window;
    this.groups = groups;
    long[] extents = new long[window.kernel().size() + 2];
    Arrays.setAll(extents, i -> i < 2 ? OPEN : window.kernel().get(i - 2));
    extents[0] = channels;
    weight = parameter("weight", null, extents);
    bias = hasBias ? parameter("bias", null, channels) : null;
  }

  /** Over one spatial axis, with stride 1 and without padding. */
  public static Conv conv1d(long channels, long kernel) {
    return of(channels, kernel);
  }

  /** Over two spatial axes, with a square kernel. */
  public static Conv conv2d(long channels, long kernel) {
    return of(channels, kernel, kernel);
  }

  /** Over three spatial axes, with a kernel of equal extents. */
  public static Conv conv3d(long channels, long kernel) {
    return of(channels, kernel, kernel, kernel);
  }

  /** @param kernel one extent for each spatial axis */
  public static Conv of(long channels, long... kernel) {
    return new Conv(channels, Window.of(kernel), 1, true);
  }

  /** @param strides one number for all spatial axes, or one for each */
  public Conv stride(long... strides) {
    return new Conv(channels, window.withStrides(strides), groups, bias != null);
  }

  /** Zeros on both sides. */
  public Conv padding(long... padding) {
    return new Conv(channels, window.withPadding(padding), groups, bias != null);
  }

  public Conv dilation(long... dilations) {
    return new Conv(channels, window.withDilations(dilations), groups, bias != null);
  }

  /** Channels in so many groups that don't see each other. */
  public Conv groups(long count) {
    return new Conv(channels, window, count, bias != null);
  }

  public Conv withoutBias() {
    return new Conv(channels, window, groups, false);
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    T w = pass.value(weight);
    return x.conv(window.dilated().with("group", groups), bias == null ? List.of(w) : List.of(w, pass.value(bias)));
  }
}
