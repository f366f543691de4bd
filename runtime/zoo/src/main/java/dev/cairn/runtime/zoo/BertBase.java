package dev.cairn.runtime.zoo;

import static dev.cairn.runtime.zoo.TransformerLayers.INNER;
import static dev.cairn.runtime.zoo.TransformerLayers.LAYERS;
import static dev.cairn.runtime.zoo.TransformerLayers.MASKED;
import static dev.cairn.runtime.zoo.TransformerLayers.WIDTH;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.Graph;

/**
 * BERT base, uncased (Devlin and others: Pre-training of Deep Bidirectional Transformers, 2018): the encoder and its
 * pooler.
 */
final class BertBase implements ZooModel {
  private static final int WORDS = 30522;
  private static final int POSITIONS = 512;
  private static final float EPSILON = 1e-12f;

  @Override
  public String name() {
    return "bert_base";
  }

  @Override
  public String description() {
    return "BERT base, 12 layers, 109.5 M parameters; input_ids, attention_mask, token_type_ids int64[NxS]"
      + " -> last_hidden_state float32[NxSx768], pooled float32[Nx768]";
  }

  @Override
  public Graph build(ZooOptions options) {
    TransformerLayers.requirePositions(name(), options, POSITIONS);
    ModelScope scope = ModelScope.of(name(), options);
    GraphExpression tokens = scope.input("input_ids", DType.INT64, options.sequenceLength());
    GraphExpression mask = scope.input("attention_mask", DType.INT64, options.sequenceLength());
    GraphExpression segments = scope.input("token_type_ids", DType.INT64, options.sequenceLength());
    GraphExpression x = embeddings(scope.within("embeddings"), tokens, segments);
    GraphExpression penalty = penalty(scope.within("mask"), mask);
    for (int layer = 0; layer < LAYERS; layer++) {
      x = layer(scope.within("encoder").within("layer" + layer), x, penalty);
    }
    scope.output("last_hidden_state", x);
    scope.output("pooled", pooler(scope.within("pooler"), x));
    return scope.build();
  }

  private static GraphExpression embeddings(ModelScope scope, GraphExpression tokens, GraphExpression segments) {
    GraphExpression words = table(scope.within("word"), WORDS, tokens);
    GraphExpression types = table(scope.within("token_type"), 2, segments);
    ModelScope position = scope.within("position");
    GraphExpression places = table(position, POSITIONS,
      TransformerLayers.positions(position, scope.options().sequenceLength()));
    GraphExpression sum = scope.on(words).add(types).add(places);
    return TransformerLayers.layerNormalization(scope.within("norm"), sum, EPSILON);
  }

  private static GraphExpression table(ModelScope scope, int rows, GraphExpression indexes) {
    return TransformerLayers.lookUp(scope, scope.normal("weight", 0, 0.05, rows, WIDTH), indexes);
  }

  /** From 1 for a token and 0 for padding to what is added to the scores: 0 or {@link TransformerLayers#MASKED}. */
  private static GraphExpression penalty(ModelScope scope, GraphExpression mask) {
    GraphExpression wide = scope.on(mask).expandDims(scope.constant("axes", TensorView.ofLongs(1, 2)));
    GraphExpression real = wide.astype(DType.FLOAT32);
    GraphExpression padding = scope.scalar("one", 1).sub(real);
    return padding.mul(scope.scalar("masked", MASKED));
  }

  private static GraphExpression layer(ModelScope scope, GraphExpression x, GraphExpression penalty) {
    ModelScope self = scope.within("attention");
    GraphExpression mixed = TransformerLayers.attention(self, linear(self.within("query"), x, WIDTH, WIDTH),
      linear(self.within("key"), x, WIDTH, WIDTH), linear(self.within("value"), x, WIDTH, WIDTH),
      scores -> self.on(scores).add(penalty));
    GraphExpression attended = residual(self.within("output"), mixed, x, WIDTH);
    ModelScope feed = scope.within("feed_forward");
    GraphExpression inner = TransformerLayers.gelu(feed, linear(feed.within("inner"), attended, WIDTH, INNER));
    return residual(feed.within("output"), inner, attended, INNER);
  }

  private static GraphExpression residual(ModelScope scope, GraphExpression branch, GraphExpression x, int inputs) {
    GraphExpression sum = scope.on(linear(scope, branch, inputs, WIDTH)).add(x);
    return TransformerLayers.layerNormalization(scope.within("norm"), sum, EPSILON);
  }

  private static GraphExpression linear(ModelScope scope, GraphExpression x, int inputs, int outputs) {
    GraphExpression weight = scope.normal("weight", 0, TransformerLayers.glorot(inputs, outputs), inputs, outputs);
    return scope.normal("bias", 0, 0.02, outputs).add(scope.on(x).matmul(weight));
  }

  /** The first token's features, once more through a layer. */
  private static GraphExpression pooler(ModelScope scope, GraphExpression x) {
    GraphExpression first = scope.on(x).take(scope.constant("first", TensorView.ofLong(0)), 1);
    return VisionLayers.linear(scope, first, WIDTH, WIDTH, 1).tanh();
  }
}
