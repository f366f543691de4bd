package dev.cairn.runtime.zoo;

import static dev.cairn.runtime.zoo.TransformerLayers.INNER;
import static dev.cairn.runtime.zoo.TransformerLayers.LAYERS;
import static dev.cairn.runtime.zoo.TransformerLayers.MASKED;
import static dev.cairn.runtime.zoo.TransformerLayers.WIDTH;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeEntry;

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
    NodeEntry tokens = scope.input("input_ids", DType.INT64, options.sequenceLength());
    NodeEntry mask = scope.input("attention_mask", DType.INT64, options.sequenceLength());
    NodeEntry segments = scope.input("token_type_ids", DType.INT64, options.sequenceLength());
    NodeEntry x = embeddings(scope.within("embeddings"), tokens, segments);
    NodeEntry penalty = penalty(scope.within("mask"), mask);
    for (int layer = 0; layer < LAYERS; layer++) {
      x = layer(scope.within("encoder").within("layer" + layer), x, penalty);
    }
    scope.output("last_hidden_state", x);
    scope.output("pooled", pooler(scope.within("pooler"), x));
    return scope.build();
  }

  private static NodeEntry embeddings(ModelScope scope, NodeEntry tokens, NodeEntry segments) {
    NodeEntry words = table(scope.within("word"), WORDS, tokens);
    NodeEntry types = table(scope.within("token_type"), 2, segments);
    ModelScope position = scope.within("position");
    NodeEntry places = table(position, POSITIONS,
      TransformerLayers.positions(position, scope.options().sequenceLength()));
    NodeEntry sum = scope.apply("Add", scope.apply("Add", words, types), places);
    return TransformerLayers.layerNormalization(scope.within("norm"), sum, EPSILON);
  }

  private static NodeEntry table(ModelScope scope, int rows, NodeEntry indexes) {
    return TransformerLayers.lookUp(scope, scope.normal("weight", 0, 0.05, rows, WIDTH), indexes);
  }

  /** From 1 for a token and 0 for padding to what is added to the scores: 0 or {@link TransformerLayers#MASKED}. */
  private static NodeEntry penalty(ModelScope scope, NodeEntry mask) {
    NodeEntry wide = scope.apply("Unsqueeze", mask, scope.constant("axes", TensorView.ofLongs(1, 2)));
    NodeEntry real = scope.apply("Cast", Attributes.NONE.with("to", new AttributeValue.Text("float32")), wide);
    NodeEntry padding = scope.apply("Sub", scope.scalar("one", 1), real);
    return scope.apply("Mul", padding, scope.scalar("masked", MASKED));
  }

  private static NodeEntry layer(ModelScope scope, NodeEntry x, NodeEntry penalty) {
    ModelScope self = scope.within("attention");
    NodeEntry mixed = TransformerLayers.attention(self, linear(self.within("query"), x, WIDTH, WIDTH),
      linear(self.within("key"), x, WIDTH, WIDTH), linear(self.within("value"), x, WIDTH, WIDTH),
      scores -> self.apply("Add", scores, penalty));
    NodeEntry attended = residual(self.within("output"), mixed, x, WIDTH);
    ModelScope feed = scope.within("feed_forward");
    NodeEntry inner = TransformerLayers.gelu(feed, linear(feed.within("inner"), attended, WIDTH, INNER));
    return residual(feed.within("output"), inner, attended, INNER);
  }

  private static NodeEntry residual(ModelScope scope, NodeEntry branch, NodeEntry x, int inputs) {
    NodeEntry sum = scope.apply("Add", linear(scope, branch, inputs, WIDTH), x);
    return TransformerLayers.layerNormalization(scope.within("norm"), sum, EPSILON);
  }

  private static NodeEntry linear(ModelScope scope, NodeEntry x, int inputs, int outputs) {
    NodeEntry weight = scope.normal("weight", 0, TransformerLayers.glorot(inputs, outputs), inputs, outputs);
    return scope.apply("Add", scope.normal("bias", 0, 0.02, outputs), scope.apply("MatMul", x, weight));
  }

  /** The first token's features, once more through a layer. */
  private static NodeEntry pooler(ModelScope scope, NodeEntry x) {
    NodeEntry first = scope.apply("Gather", Attributes.NONE.with("axis", 1), x,
      scope.constant("first", TensorView.ofLong(0)));
    return scope.apply("Tanh", VisionLayers.linear(scope, first, WIDTH, WIDTH, 1));
  }
}
