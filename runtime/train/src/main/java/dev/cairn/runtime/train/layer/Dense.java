package dev.cairn.runtime.train.layer;

import static dev.cairn.runtime.graph.PartialType.OPEN;

import dev.cairn.runtime.expression.Expression;
import org.jspecify.annotations.Nullable;

/** {@code x·weightᵀ + bias} along the last axis. The parameters are {@code weight [out,in]} and {@code bias [out]}. */
public final class Dense extends Layer {
  private final Parameter weight;
  private final @Nullable Parameter bias;

  private Dense(@Nullable Parameter tied, long units, boolean hasBias) {
    weight = tied == null ? parameter("weight", null, units, OPEN) : shared("weight", tied);
    bias = hasBias ? parameter("bias", null, units) : null;
  }

  /** @param units how many numbers come out */
  public static Dense of(long units) {
    return new Dense(null, units, true);
  }

  public static Dense withoutBias(long units) {
    return new Dense(null, units, false);
  }

  /** A layer without bias, with the weight of another layer, such as an embedding's. */
  public static Dense tied(Parameter weight) {
    return new Dense(weight, weight.type().extents().orElseThrow().getFirst(), false);
  }

  public Parameter weight() {
    return weight;
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    return Rows.linear(pass, x, weight, bias);
  }
}
