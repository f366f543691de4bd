package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;

/**
 * Attention of a sequence {@code [N,T,width]} to itself, then two dense layers, each with a residual connection and a
 * normalisation (A. Vaswani and others, 2017). The layers within are {@code self_attn}, {@code linear1}, {@code
 * linear2}, {@code norm1} and {@code norm2}.
 */
public final class TransformerEncoderLayer extends Layer {
  private final boolean normFirst;
  private final MultiHeadAttention attention;
  private final Dense inner;
  private final Activation activation;
  private final Dense outer;
  private final LayerNorm firstNorm = child("norm1", LayerNorm.of());
  private final LayerNorm secondNorm = child("norm2", LayerNorm.of());
  private final Dropout dropout;

  /**
   * A layer of the encoder.
   *
   * @param attention its width is the sequence's
   * @param inner the width between the two dense layers
   * @param activation between them
   * @param dropout in training, behind attention, activation and the second dense layer
   * @param normFirst whether each part is normalised before it, rather than after the sum
   */
  public TransformerEncoderLayer(MultiHeadAttention attention, long inner, Activation activation, double dropout,
    boolean normFirst) {
    this.normFirst = normFirst;
    this.activation = activation;
    this.attention = child("self_attn", attention);
    this.inner = child("linear1", Dense.of(inner));
    this.outer = child("linear2", Dense.of(attention.width()));
    this.dropout = child("dropout", Dropout.of(dropout));
  }

  /** A layer with rectifiers, dropout 0.1, and normalisation after each sum, like PyTorch's. */
  public static TransformerEncoderLayer of(long width, long heads, long inner) {
    return new TransformerEncoderLayer(MultiHeadAttention.of(width, heads), inner, Activation.relu(), 0.1, false);
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    if (normFirst) {
      T sum = x.add(attend(pass, firstNorm.apply(pass, x)));
      return sum.add(feed(pass, secondNorm.apply(pass, sum)));
    }
    T sum = firstNorm.apply(pass, x.add(attend(pass, x)));
    return secondNorm.apply(pass, sum.add(feed(pass, sum)));
  }

  private <T extends Expression<T>> T attend(LayerPass<T> pass, T x) {
    return dropout.apply(pass, attention.apply(pass, x));
  }

  private <T extends Expression<T>> T feed(LayerPass<T> pass, T x) {
    T hidden = dropout.apply(pass, activation.apply(pass, inner.apply(pass, x)));
    return dropout.apply(pass, outer.apply(pass, hidden));
  }
}
