package dev.cairn.benchmarks.written;

import static dev.cairn.benchmarks.written.WrittenModel.ints;
import static dev.cairn.benchmarks.written.WrittenModel.whole;

import dev.cairn.kernels.tensor.DType;
import java.util.List;

/**
 * A sentence encoder: 6 layers, 384 wide, 12 heads, 128 tokens. The quantised form multiplies {@code int8} weights
 * with activations that are quantised in each run, as exporters' dynamic quantisation writes it.
 */
public final class EncoderModel {
  private static final long SEED = 42;
  private static final int LAYERS = 6;
  private static final int WIDTH = 384;
  private static final int HEADS = 12;
  private static final int TOKENS = 128;

  private final WrittenModel model = WrittenModel.of(SEED);
  private final boolean quantized;

  private EncoderModel(boolean quantized) {
    this.quantized = quantized;
  }

  /** From embeddings of the tokens to their features. */
  public static WrittenModel of(boolean quantized) {
    var encoder = new EncoderModel(quantized);
    String x = encoder.model.input("embeddings", DType.FLOAT32, 1, TOKENS, WIDTH);
    for (int layer = 0; layer < LAYERS; layer++) {
      x = encoder.layer(x);
    }
    encoder.model.output(x, DType.FLOAT32, 1, TOKENS, WIDTH);
    return encoder.model;
  }

  private String layer(String x) {
    Operand shared = operand(x);
    String queries = heads(dense(shared, WIDTH, WIDTH), 0, 2, 1, 3);
    String keys = heads(dense(shared, WIDTH, WIDTH), 0, 2, 3, 1);
    String values = heads(dense(shared, WIDTH, WIDTH), 0, 2, 1, 3);
    String scores = apply("Div", apply("MatMul", queries, keys), model.filled(Math.sqrt((double) WIDTH / HEADS)));
    String mixed = apply("MatMul", model.node("Softmax", List.of(scores), whole("axis", 3)), values);
    String joined = apply("Reshape", model.node("Transpose", List.of(mixed), ints("perm", 0, 2, 1, 3)), model.longs(1,
      TOKENS, WIDTH));
    String attended = normalised(apply("Add", dense(operand(joined), WIDTH, WIDTH), x));
    String inner = gelu(dense(operand(attended), WIDTH, 4 * WIDTH));
    return normalised(apply("Add", dense(operand(inner), 4 * WIDTH, WIDTH), attended));
  }

  private String apply(String operator, String... inputs) {
    return model.node(operator, List.of(inputs));
  }

  private String heads(String x, long... order) {
    String split = apply("Reshape", x, model.longs(1, TOKENS, HEADS, WIDTH / HEADS));
    return model.node("Transpose", List.of(split), ints("perm", order));
  }

  private String gelu(String x) {
    String erf = apply("Erf", apply("Div", x, model.filled(Math.sqrt(2))));
    return apply("Mul", apply("Mul", x, apply("Add", erf, model.filled(1))), model.filled(0.5));
  }

  private String normalised(String x) {
    return apply("LayerNormalization", x, model.filled(1, WIDTH), model.filled(0, WIDTH));
  }

  /** The operands of products: the activations, or their bytes with scale and zero point. */
  private record Operand(List<String> parts) {}

  private Operand operand(String x) {
    return new Operand(quantized ? model.nodes("DynamicQuantizeLinear", List.of(x), 3) : List.of(x));
  }

  private String dense(Operand x, long inputs, long outputs) {
    String first = x.parts.getFirst();
    if (!quantized) {
      return apply("Add", apply("MatMul", first, model.weights(inputs, outputs)), model.weights(outputs));
    }
    String product = apply("MatMulInteger", first, model.bytes(inputs, outputs), x.parts.get(2));
    // Weights are uniform in [-63, 63]; results of the product should have a magnitude near 1.
    String scale = apply("Mul", x.parts.get(1), model.filled(1 / (37 * Math.sqrt((double) inputs)), 1));
    String scaled = apply("Mul", model.node("Cast", List.of(product), whole("to", 1)), scale);
    return apply("Add", scaled, model.weights(outputs));
  }
}
