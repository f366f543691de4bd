package dev.cairn.runtime.zoo;

import static dev.cairn.runtime.zoo.TransformerLayers.INNER;
import static dev.cairn.runtime.zoo.TransformerLayers.LAYERS;
import static dev.cairn.runtime.zoo.TransformerLayers.MASKED;
import static dev.cairn.runtime.zoo.TransformerLayers.WIDTH;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.Graph;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * GPT-2, the smallest (Radford and others: Language Models are Unsupervised Multitask Learners, 2019), over a whole
 * text without a cache. The table of words is stored once: looked up at the beginning, and multiplied by at the end.
 */
final class Gpt2 implements ZooModel {
  private static final int WORDS = 50257;
  private static final int POSITIONS = 1024;
  private static final float EPSILON = 1e-5f;
  /** Each of the two branches of a layer adds to the same stream; this keeps its scale. */
  private static final double BRANCH = 1 / Math.sqrt(2 * LAYERS);

  @Override
  public String name() {
    return "gpt2";
  }

  @Override
  public String description() {
    return "GPT-2 small, 12 layers, 124.4 M parameters; input_ids int64[NxS] -> logits float32[NxSx50257]";
  }

  @Override
  public Graph build(ZooOptions options) {
    TransformerLayers.requirePositions(name(), options, POSITIONS);
    int length = options.sequenceLength();
    ModelScope scope = ModelScope.of(name(), options);
    GraphExpression tokens = scope.input("input_ids", DType.INT64, length);
    ModelScope words = scope.within("wte");
    GraphExpression table = words.normal("weight", 0, 0.14, WORDS, WIDTH);
    ModelScope positions = scope.within("wpe");
    GraphExpression places = TransformerLayers.lookUp(positions, positions.normal("weight", 0, 0.1, POSITIONS, WIDTH),
      TransformerLayers.positions(positions, length));
    GraphExpression x = scope.on(TransformerLayers.lookUp(words, table, tokens)).add(places);
    GraphExpression causal = scope.constant("causal_mask", lowerTriangle(length));
    GraphExpression masked = scope.scalar("masked", MASKED);
    for (int layer = 0; layer < LAYERS; layer++) {
      x = layer(scope.within("h" + layer), x, causal, masked);
    }
    x = TransformerLayers.layerNormalization(scope.within("ln_f"), x, EPSILON);
    scope.output("logits", logits(scope.within("lm_head"), x, table));
    return scope.build();
  }

  private static GraphExpression layer(ModelScope scope, GraphExpression x, GraphExpression causal,
    GraphExpression masked) {
    ModelScope self = scope.within("attn");
    GraphExpression normal = TransformerLayers.layerNormalization(scope.within("ln_1"), x, EPSILON);
    GraphExpression all = linear(self.within("c_attn"), normal, WIDTH, 3 * WIDTH, 1);
    List<GraphExpression> parts = self.on(all).split(2, 3, self.constant("split", TensorView.ofLongs(WIDTH, WIDTH,
      WIDTH)));
    GraphExpression mixed = TransformerLayers.attention(self, parts.get(0), parts.get(1), parts.get(2),
      scores -> self.on(causal).where(scores, masked));
    GraphExpression attended = scope.on(linear(self.within("c_proj"), mixed, WIDTH, WIDTH, BRANCH)).add(x);
    ModelScope feed = scope.within("mlp");
    GraphExpression again = TransformerLayers.layerNormalization(scope.within("ln_2"), attended, EPSILON);
    GraphExpression inner = TransformerLayers.geluByTanh(feed, linear(feed.within("c_fc"), again, WIDTH, INNER, 1));
    return scope.on(attended).add(linear(feed.within("c_proj"), inner, INNER, WIDTH, BRANCH));
  }

  /** All tokens of all texts as rows, times a matrix stored as {@code inputs,outputs}, and a bias. */
  private static GraphExpression linear(ModelScope scope, GraphExpression x, int inputs, int outputs, double scale) {
    ZooOptions options = scope.options();
    GraphExpression rows = scope.reshape(x, options.batchTimes(options.sequenceLength()), inputs);
    GraphExpression product = rows.gemm(Attributes.NONE, List.of(scope.normal("weight", 0, scale * TransformerLayers
      .glorot(inputs, outputs), inputs, outputs), scope.normal("bias", 0, 0.02, outputs)));
    return scope.reshape(product, options.batchExtent(), options.sequenceLength(), outputs);
  }

  private static GraphExpression logits(ModelScope scope, GraphExpression x, GraphExpression table) {
    ZooOptions options = scope.options();
    GraphExpression rows = scope.reshape(x, options.batchTimes(options.sequenceLength()), WIDTH);
    GraphExpression product = rows.gemm(Attributes.NONE.with("transB", 1), List.of(table));
    return scope.reshape(product, options.batchExtent(), options.sequenceLength(), WORDS);
  }

  /**
   * {@code bool[1,1,token,token]}: whether a row's token may look at a column's, which is itself and those before it.
   */
  private static TensorView lowerTriangle(int length) {
    byte[] allowed = new byte[Math.multiplyExact(length, length)];
    for (int row = 0; row < length; row++) {
      Arrays.fill(allowed, row * length, row * length + row + 1, (byte) 1);
    }
    return new TensorView(TensorType.of(DType.BOOL, 1, 1, length, length), MemorySegment.ofArray(allowed));
  }
}
