package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.train.initializer.Initializers;
import java.util.Arrays;

/**
 * Normalises by mean and variance over the last axes. The parameters are {@code weight} and {@code bias}, with the
 * extents of these axes.
 */
public final class LayerNorm extends Layer {
  private final int axes;
  private final float epsilon;
  private final Parameter weight;
  private final Parameter bias;

  private LayerNorm(float epsilon, long... extents) {
    this.axes = extents.length;
    this.epsilon = epsilon;
    weight = parameter("weight", Initializers.one(), extents);
    bias = parameter("bias", Initializers.zero(), extents);
  }

  /** Over the last axis, with epsilon 1e-5. */
  public static LayerNorm of() {
    return over(1, 1e-5f);
  }

  /** @param axes how many axes, counted from the last */
  public static LayerNorm over(int axes, float epsilon) {
    if (axes < 1) {
      throw new IllegalArgumentException("at least one axis is normalised: axes=" + axes);
    }
    long[] extents = new long[axes];
    Arrays.fill(extents, PartialType.OPEN);
    return new LayerNorm(epsilon, extents);
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    return x.layerNorm(-axes, pass.value(weight), pass.value(bias), epsilon);
  }
}
