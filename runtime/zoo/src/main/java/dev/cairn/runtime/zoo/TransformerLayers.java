package dev.cairn.runtime.zoo;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.GraphExpression;
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
  static GraphExpression lookUp(ModelScope scope, GraphExpression table, GraphExpression tokens) {
    return scope.on(table).take(tokens, 0);
  }

  /** The tokens' positions, {@code int64[1,token]}. */
  static GraphExpression positions(ModelScope scope, int count) {
    TensorView numbers = TensorView.ofLongs(LongStream.range(0, count).toArray());
    return scope.constant("position_ids", numbers.reshaped(Shape.of(1, count)));
  }

  static GraphExpression layerNormalization(ModelScope scope, GraphExpression x, float epsilon) {
    return scope.on(x).layerNorm(-1, scope.normal("weight", 1, 0.05, WIDTH), scope.normal("bias", 0, 0.05, WIDTH),
      epsilon);
  }

  /** {@code float32[batch,token,width]} to {@code [batch,head,token,width/heads]}. */
  static GraphExpression splitHeads(ModelScope scope, GraphExpression x) {
    return eachHead(scope, x).transpose(0, 2, 1, 3);
  }

  /** {@code float32[batch,token,width]} to {@code [batch,head,width/heads,token]}. */
  static GraphExpression splitHeadsTransposed(ModelScope scope, GraphExpression x) {
    return eachHead(scope, x).transpose(0, 2, 3, 1);
  }

  private static GraphExpression eachHead(ModelScope scope, GraphExpression x) {
    ZooOptions options = scope.options();
    return scope.reshape(x, options.batchExtent(), options.sequenceLength(), HEADS, HEAD);
  }

  /**
   * Each token's mean of the values, weighted by how well its query meets the keys.
   *
   * @param query {@code float32[batch,token,width]}, as are key and value
   * @param mask from scores {@code [batch,head,token,token]} to scores without the ones that must not count
   */
  static GraphExpression attention(ModelScope scope, GraphExpression query, GraphExpression key, GraphExpression value,
    UnaryOperator<GraphExpression> mask) {
    GraphExpression q = splitHeads(scope, query);
    GraphExpression k = splitHeadsTransposed(scope, key);
    GraphExpression v = splitHeads(scope, value);
    GraphExpression scores = q.matmul(k).div(scope.scalar("scale", Math.sqrt(HEAD)));
    GraphExpression shares = mask.apply(scores).softmax(-1);
    GraphExpression mixed = shares.matmul(v).transpose(0, 2, 1, 3);
    return scope.reshape(mixed, scope.options().batchExtent(), scope.options().sequenceLength(), WIDTH);
  }

  /** {@code x * 0.5 * (1 + erf(x / sqrt(2)))} (Hendrycks and Gimpel, 2016). */
  static GraphExpression gelu(ModelScope scope, GraphExpression x) {
    GraphExpression erf = scope.on(x).div(scope.scalar("sqrt2", Math.sqrt(2))).erf();
    GraphExpression product = scope.on(x).mul(erf.add(scope.scalar("one", 1)));
    return product.mul(scope.scalar("half", 0.5));
  }

  /** The same by a hyperbolic tangent: {@code x * 0.5 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3)))}. */
  static GraphExpression geluByTanh(ModelScope scope, GraphExpression x) {
    GraphExpression cube = scope.on(x).pow(scope.scalar("three", 3));
    GraphExpression inner = scope.on(x).add(cube.mul(scope.scalar("cubic", 0.044715)));
    GraphExpression tanh = inner.mul(scope.scalar("slope", Math.sqrt(2 / Math.PI))).tanh();
    GraphExpression half = scope.on(x).mul(scope.scalar("half", 0.5));
    return half.mul(tanh.add(scope.scalar("one", 1)));
  }

  /** @throws IllegalArgumentException when a text would be longer than the model has positions */
  static void requirePositions(String model, ZooOptions options, int positions) {
    if (options.sequenceLength() > positions) {
      throw new IllegalArgumentException(
        "more tokens than the model has positions: model=%s sequenceLength=%d positions=%d".formatted(model,
          options.sequenceLength(), positions));
    }
  }
}
