package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;

/** Rows of a table, one for each index. The parameter is {@code weight [rows,width]}. */
public final class Embedding extends Layer {
  private final Parameter weight;

  private Embedding(long rows, long width) {
    weight = parameter("weight", null, rows, width);
  }

  public static Embedding of(long rows, long width) {
    return new Embedding(rows, width);
  }

  /** The table, to be shared with {@link Dense#tied}. */
  public Parameter weight() {
    return weight;
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    return pass.value(weight).take(x, 0);
  }
}
