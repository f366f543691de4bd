package dev.cairn.langchain4j;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Writes a sentence encoder: BERT's layers over embeddings of tokens, with {@code int8} weights and activations that
 * are quantised in each run, as exporters' dynamic quantisation writes it.
 */
final class QuantizedEncoder {
  private static final int HEADS = 4;

  private final GraphBuilder graph = new GraphBuilder("encoder");
  private final SplittableRandom random = new SplittableRandom(7);
  private final int width;
  private int constants;

  private QuantizedEncoder(int width) {
    this.width = width;
  }

  static Path write(Path file, int words, int layers, int width) throws IOException {
    var encoder = new QuantizedEncoder(width);
    var type = new DeclaredType(DType.INT64, List.of(new Dimension.Symbol("texts"), new Dimension.Symbol("tokens")));
    NodeEntry ids = encoder.graph.input("input_ids", type);
    NodeEntry mask = encoder.graph.input("attention_mask", type);
    NodeEntry hidden = encoder.apply("Add", encoder.apply("Unsqueeze", encoder.apply("Cast", to("float32"), mask),
      encoder.longs(1, 2)), encoder.scalar(-1));
    NodeEntry bias = encoder.apply("Mul", hidden, encoder.scalar(10_000));
    NodeEntry x = encoder.normalised(encoder.apply("Gather", encoder.floats(1, words, width), ids));
    for (int layer = 0; layer < layers; layer++) {
      x = encoder.layer(x, bias);
    }
    encoder.graph.output("last_hidden_state", x);
    Graph built = encoder.graph.build();
    OnnxWriter.write(built, DeclaredOutputs.of(built), file);
    return file;
  }

  private NodeEntry layer(NodeEntry x, NodeEntry bias) {
    List<NodeEntry> bytes = quantized(x);
    NodeEntry queries = heads(dense(bytes, width, width), 0, 2, 1, 3);
    NodeEntry keys = heads(dense(bytes, width, width), 0, 2, 3, 1);
    NodeEntry values = heads(dense(bytes, width, width), 0, 2, 1, 3);
    NodeEntry scores = apply("Div", apply("MatMul", queries, keys), scalar(Math.sqrt((double) width / HEADS)));
    NodeEntry mixed = apply("MatMul", apply("Softmax", whole("axis", -1), apply("Add", scores, bias)), values);
    NodeEntry joined = apply("Reshape", apply("Transpose", order(0, 2, 1, 3), mixed), longs(0, 0, width));
    NodeEntry attended = normalised(apply("Add", dense(quantized(joined), width, width), x));
    NodeEntry inner = apply("Gelu", dense(quantized(attended), width, 4 * width));
    return normalised(apply("Add", dense(quantized(inner), 4 * width, width), attended));
  }

  private List<NodeEntry> quantized(NodeEntry x) {
    return graph.applyForAll("DynamicQuantizeLinear", Attributes.NONE, 3, x);
  }

  private NodeEntry dense(List<NodeEntry> x, int inputs, int outputs) {
    NodeEntry product = apply("MatMulInteger", x.get(0), bytes(inputs, outputs), x.get(2));
    NodeEntry scale = apply("Mul", x.get(1), scalar(1 / (37 * Math.sqrt(inputs))));
    return apply("Add", apply("Mul", apply("Cast", to("float32"), product), scale), floats(0.1, outputs));
  }

  private NodeEntry heads(NodeEntry x, long... order) {
    return apply("Transpose", order(order), apply("Reshape", x, longs(0, 0, HEADS, width / HEADS)));
  }

  private NodeEntry normalised(NodeEntry x) {
    return apply("LayerNormalization", whole("axis", -1), x, floats(1, width), floats(0.1, width));
  }

  private NodeEntry apply(String operator, NodeEntry... inputs) {
    return graph.apply(operator, inputs);
  }

  private NodeEntry apply(String operator, Attributes attributes, NodeEntry... inputs) {
    return graph.apply(operator, attributes, inputs);
  }

  private static Attributes to(String type) {
    return Attributes.NONE.with("to", new AttributeValue.Text(type));
  }

  private static Attributes whole(String name, long value) {
    return Attributes.NONE.with(name, new AttributeValue.Int(value));
  }

  private static Attributes order(long... axes) {
    return Attributes.NONE.with("perm", new AttributeValue.Ints(Arrays.stream(axes).boxed().toList()));
  }

  private NodeEntry constant(TensorView value) {
    return graph.constant("c" + constants++, value);
  }

  private NodeEntry longs(long... values) {
    return constant(TensorView.ofLongs(values));
  }

  private NodeEntry scalar(double value) {
    return constant(TensorView.ofFloats(Shape.SCALAR, (float) value));
  }

  private NodeEntry floats(double most, int... extents) {
    TensorView values = HeapTensor.allocate(TensorType.of(DType.FLOAT32, Arrays.stream(extents)
      .asLongStream().toArray()));
    for (long i = 0; i < values.elementCount(); i++) {
      values.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextDouble(-most, most));
    }
    return constant(values);
  }

  /** Small enough for processors without VNNI to add them up exactly. */
  private NodeEntry bytes(int inputs, int outputs) {
    TensorView values = HeapTensor.allocate(TensorType.of(DType.INT8, inputs, outputs));
    for (long i = 0; i < values.elementCount(); i++) {
      values.segment().set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt(-63, 64));
    }
    return constant(values);
  }
}
