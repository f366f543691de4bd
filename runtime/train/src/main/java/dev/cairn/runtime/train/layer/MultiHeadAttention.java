package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.PartialType;
import java.util.ArrayList;
import java.util.List;

/**
 * Attention with several heads over sequences {@code [N,T,width]}, as one operator. The parameters are {@code
 * in_proj_weight [3·width,width]}, {@code in_proj_bias}, {@code out_proj.weight} and {@code out_proj.bias}.
 *
 * <p>{@link #applyAll} takes query, key and value, and perhaps a mask that is added to the scores or, as bool, keeps
 * scores where it is true.
 */
public final class MultiHeadAttention extends Layer {
  private final long width;
  private final long heads;
  private final boolean isCausal;
  private final Parameter weight;
  private final Parameter bias;
  private final Dense result;

  private MultiHeadAttention(long width, long heads, boolean isCausal) {
    if (heads < 1 || width % heads != 0) {
      throw new IllegalArgumentException("the width does not divide into heads: width=%d heads=%d".formatted(width,
        heads));
    }
    this.width = width;
    this.heads = heads;
    this.isCausal = isCausal;
    weight = parameter("in_proj_weight", null, 3 * width, width);
    bias = parameter("in_proj_bias", null, 3 * width);
    result = child("out_proj", Dense.of(width));
  }

  public static MultiHeadAttention of(long width, long heads) {
    return new MultiHeadAttention(width, heads, false);
  }

  /** No step looks at later ones. */
  public MultiHeadAttention causal() {
    return new MultiHeadAttention(width, heads, true);
  }

  long width() {
    return width;
  }

  /** Attention of a sequence to itself. */
  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    return attended(pass, x, Rows.linear(pass, x, weight, bias).split(-1, width, width, width));
  }

  @Override
  protected <T extends Expression<T>> List<T> forwardAll(LayerPass<T> pass, List<T> inputs) {
    if (inputs.size() == 1) {
      return List.of(forward(pass, inputs.get(0)));
    }
    if (inputs.size() != 3 && inputs.size() != 4) {
      throw new IllegalArgumentException("query, key, value and perhaps a mask are wanted: inputs=" + inputs.size());
    }
    List<T> weights = pass.value(weight).split(0, width, width, width);
    List<T> biases = pass.value(bias).split(0, width, width, width);
    List<T> operands = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      operands.add(Rows.linear(pass, inputs.get(i), weights.get(i), biases.get(i), width));
    }
    operands.addAll(inputs.subList(3, inputs.size()));
    return List.of(attended(pass, inputs.get(0), operands));
  }

  /** The result has the query's shape, which is said because it follows from attention only when all is known. */
  private <T extends Expression<T>> T attended(LayerPass<T> pass, T query, List<T> operands) {
    var attributes = Attributes.NONE.with("q_num_heads", heads).with("kv_num_heads", heads).with("is_causal", isCausal
      ? 1
      : 0);
    T mixed = operands.get(0).callAll(Operators.ATTENTION, attributes, 1, operands.subList(1, operands.size()))
      .getFirst();
    PartialType type = pass.type(query);
    return result.apply(pass, type.known().isPresent() ? mixed : mixed.reshape(Rows.extents(type)));
  }
}
