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
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** Models of tokens as files, and what they compute, by hand. */
final class SmallEncoders {
  static final int WORDS = 20;
  static final int WIDTH = 32;
  static final float[] TABLE = table();
  static final float[] WEIGHTS = numbers(WIDTH, 2);
  private static final Dimension TEXTS = new Dimension.Symbol("texts");
  private static final Dimension TOKENS = new Dimension.Symbol("tokens");

  private SmallEncoders() {}

  /** The special tokens and the plural's end say little. */
  private static float[] table() {
    float[] values = numbers(WORDS * WIDTH, 1);
    for (int token : new int[] {2, 3, 5}) {
      for (int i = 0; i < WIDTH; i++) {
        values[token * WIDTH + i] *= 0.1f;
      }
    }
    return values;
  }

  private static float[] numbers(int count, long seed) {
    var random = new SplittableRandom(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return values;
  }

  /** One row a token: the row of the table that the token names. */
  static Path perToken(Path file) throws IOException {
    var graph = new GraphBuilder("words");
    graph.output("last_hidden_state", vectors(graph));
    return written(graph, file);
  }

  /** One number a pair: the sum over its tokens of their rows times weights. */
  static Path perPair(Path file) throws IOException {
    var graph = new GraphBuilder("pairs");
    NodeEntry products = graph.apply("MatMul", vectors(graph), graph.constant("weights", TensorView.ofFloats(
      Shape.of(WIDTH, 1), WEIGHTS)));
    NodeEntry sums = graph.apply("Squeeze", products, graph.constant("axis", TensorView.ofLongs(2)));
    NodeEntry kept = graph.apply("Mul", sums, graph.apply("Cast", Attributes.NONE.with("to", new AttributeValue.Text(
      "float32")), mask(graph)));
    graph.output("logits", graph.apply("ReduceSum", kept, graph.constant("tokens", TensorView.ofLongs(1))));
    return written(graph, file);
  }

  /** A model that takes no tokens. */
  static Path ofImages(Path file) throws IOException {
    var graph = new GraphBuilder("images");
    NodeEntry pixels = graph.input("pixels", new TensorType(DType.FLOAT32, Shape.of(1, 4)));
    graph.output("logits", graph.apply("Relu", pixels));
    return written(graph, file);
  }

  private static Path written(GraphBuilder builder, Path file) throws IOException {
    Graph graph = builder.build();
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
    return file;
  }

  private static NodeEntry vectors(GraphBuilder graph) {
    NodeEntry ids = graph.input("input_ids", new DeclaredType(DType.INT64, List.of(TEXTS, TOKENS)));
    return graph.apply("Gather", graph.constant("table", TensorView.ofFloats(Shape.of(WORDS, WIDTH), TABLE)), ids);
  }

  private static NodeEntry mask(GraphBuilder graph) {
    return graph.input("attention_mask", new DeclaredType(DType.INT64, List.of(TEXTS, TOKENS)));
  }

  static float[] row(int token) {
    float[] row = new float[WIDTH];
    System.arraycopy(TABLE, token * WIDTH, row, 0, WIDTH);
    return row;
  }

  /** The mean of the tokens' rows, of length 1. */
  static float[] mean(int... tokens) {
    double[] sum = new double[WIDTH];
    for (int token : tokens) {
      for (int i = 0; i < WIDTH; i++) {
        sum[i] += row(token)[i];
      }
    }
    double square = 0;
    for (double value : sum) {
      square += value * value;
    }
    float[] mean = new float[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      mean[i] = (float) (sum[i] / Math.sqrt(square));
    }
    return mean;
  }

  static double score(int... tokens) {
    double sum = 0;
    for (int token : tokens) {
      for (int i = 0; i < WIDTH; i++) {
        sum += row(token)[i] * WEIGHTS[i];
      }
    }
    return sum;
  }
}
