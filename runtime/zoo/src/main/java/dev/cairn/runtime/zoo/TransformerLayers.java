package dev.cairn.runtime.zoo;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** The layers of transformers, as exporters write them. Texts are {@code batch,token,feature}. */
final class TransformerLayers {
  static final int HEADS = 12;
  static final int WIDTH = 768;
  static final int INNER = 4 * WIDTH;
  static final int LAYERS = 12;
  /**
   * Stands for minus infinity where a score is masked: infinity itself would make a row of nothing but masked scores
   * NaN.
   */
  static final double MASKED = -Float.MAX_VALUE;
  private static final int HEAD = WIDTH / HEADS;

  private TransformerLayers() {}

  /** Deviation of weights that keep the scale both ways (Glorot and Bengio, 2010). */
  static double glorot(int inputs, int outputs) {
    return Math.sqrt(2.0 / (inputs + outputs));
  }

  /** Rows of a table, one for each token. */
  static NodeEntry lookUp(ModelScope scope, NodeEntry table, NodeEntry tokens) {
    return scope.apply("Gather", Attributes.NONE.with("axis", 0), table, tokens);
  }

  /** The tokens' positions, {@code int64[1,token]}. */
  static NodeEntry positions(ModelScope scope, int count) {
    TensorView numbers = TensorView.ofLongs(LongStream.range(0, count).toArray());
    return scope.constant("position_ids", numbers.reshaped(Shape.of(1, count)));
  }

  static NodeEntry layerNormalization(ModelScope scope, NodeEntry x, float epsilon) {
    var attributes = Attributes.NONE.with("axis", -1).with("epsilon", new AttributeValue.Real(epsilon));
    return scope.apply("LayerNormalization", attributes, x, scope.normal("weight", 1, 0.05, WIDTH),
      scope.normal("bias", 0, 0.05, WIDTH));
  }

  /** {@code float32[batch,token,width]} to {@code [batch,head,token,width/heads]}. */
  static NodeEntry splitHeads(ModelScope scope, NodeEntry x) {
    return transpose(scope, eachHead(scope, x), 0, 2, 1, 3);
  }

  /** {@code float32[batch,token,width]} to {@code [batch,head,width/heads,token]}. */
  static NodeEntry splitHeadsTransposed(ModelScope scope, NodeEntry x) {
    return transpose(scope, eachHead(scope, x), 0, 2, 3, 1);
  }

  private static NodeEntry eachHead(ModelScope scope, NodeEntry x) {
    ZooOptions options = scope.options();
    return scope.reshape(x, options.batchExtent(), options.sequenceLength(), HEADS, HEAD);
  }

  /**
   * Each token's mean of the values, weighted by how well its query meets the keys.
   *
   * @param query {@code float32[batch,token,width]}, as are key and value
   * @param mask from scores {@code [batch,head,token,token]} to scores without those that must not count
   */
  static NodeEntry attention(ModelScope scope, NodeEntry query, NodeEntry key, NodeEntry value,
    UnaryOperator<NodeEntry> mask) {
    NodeEntry q = splitHeads(scope, query);
    NodeEntry k = splitHeadsTransposed(scope, key);
    NodeEntry v = splitHeads(scope, value);
    NodeEntry scores = scope.apply("Div", scope.apply("MatMul", q, k), scope.scalar("scale", Math.sqrt(HEAD)));
    NodeEntry shares = scope.apply("Softmax", Attributes.NONE.with("axis", -1), mask.apply(scores));
    NodeEntry mixed = transpose(scope, scope.apply("MatMul", shares, v), 0, 2, 1, 3);
    return scope.reshape(mixed, scope.options().batchExtent(), scope.options().sequenceLength(), WIDTH);
  }

  /** {@code x * 0.5 * (1 + erf(x / sqrt(2)))} (Hendrycks and Gimpel, 2016). */
  static NodeEntry gelu(ModelScope scope, NodeEntry x) {
    NodeEntry erf = scope.apply("Erf", scope.apply("Div", x, scope.scalar("sqrt2", Math.sqrt(2))));
    NodeEntry product = scope.apply("Mul", x, scope.apply("Add", erf, scope.scalar("one", 1)));
    return scope.apply("Mul", product, scope.scalar("half", 0.5));
  }

  /** The same by a hyperbolic tangent: {@code x * 0.5 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3)))}. */
  static NodeEntry geluByTanh(ModelScope scope, NodeEntry x) {
    NodeEntry cube = scope.apply("Pow", x, scope.scalar("three", 3));
    NodeEntry inner = scope.apply("Add", x, scope.apply("Mul", cube, scope.scalar("cubic", 0.044715)));
    NodeEntry tanh = scope.apply("Tanh", scope.apply("Mul", inner, scope.scalar("slope", Math.sqrt(2 / Math.PI))));
    NodeEntry half = scope.apply("Mul", x, scope.scalar("half", 0.5));
    return scope.apply("Mul", half, scope.apply("Add", tanh, scope.scalar("one", 1)));
  }

  /** @throws IllegalArgumentException when a text would be longer than the model has positions */
  static void requirePositions(String model, ZooOptions options, int positions) {
    if (options.sequenceLength() > positions) {
      throw new IllegalArgumentException(
        "more tokens than the model has positions: model=%s sequenceLength=%d positions=%d".formatted(model,
          options.sequenceLength(), positions));
    }
  }

  private static NodeEntry transpose(ModelScope scope, NodeEntry x, long... order) {
    return scope.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(order)), x);
  }
}
