package dev.cairn.runtime.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Graphs written as files: ONNX Runtime loads them, and reading them gives the same graph. */
class WriterTest {
  @TempDir
  private Path folder;

  @Test
  void perceptronGivesTheValuesExpected() throws Exception {
    Node x = Node.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(5))));
    float[] w1 = random(15, 1);
    float[] b1 = random(3, 2);
    Node product = apply("product", "MatMul", x.entry(), weight("w1", Shape.of(5, 3), w1));
    Node sum = apply("sum", "Add", product.entry(), weight("b1", Shape.of(3), b1));
    Graph graph = new Graph("mlp", List.of(x), List.of(new Graph.Output("scores", apply("relu", "Relu",
      sum.entry()).entry())));

    Path file = write(graph, new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol(""),
      new Dimension.Fixed(3))));

    float[] given = random(10, 3);
    TensorView scores = Oracle.run(file, Map.of("x", TensorView.ofFloats(Shape.of(2, 5), given))).get(0);
    float[] wanted = new float[6];
    for (int row = 0; row < 2; row++) {
      for (int column = 0; column < 3; column++) {
        float value = b1[column];
        for (int k = 0; k < 5; k++) {
          value += given[row * 5 + k] * w1[k * 3 + column];
        }
        wanted[row * 3 + column] = Math.max(0, value);
      }
    }
    assertArrayEquals(wanted, Models.floats(scores), 1e-5f);
    assertEquals(graph.toString(), OnnxReader.read(file, Models.operators()).toString());
    assertEquals("[Value[name=scores, type=float32[?x3]]]", OnnxReader.summary(file).outputs().toString());
  }

  @Test
  void convolutionGivesTheValuesExpected() throws Exception {
    Node x = Node.input("x", DeclaredType.of(TensorType.of(DType.FLOAT32, 1, 1, 4, 4)));
    float[] kernel = random(4, 4);
    Attributes strides = Attributes.NONE.with("strides", AttributeValue.Ints.of(2, 2));
    Node conv = Node.apply("conv", "Conv", strides, List.of(x.entry(), weight("k", Shape.of(1, 1, 2, 2), kernel)));
    Node gelu = Node.apply("gelu", "Gelu", Attributes.NONE.with("approximate", new AttributeValue.Text("none")),
      List.of(conv.entry()));
    Node norm = Node.apply("norm", new NodeKind.Apply("LayerNormalization", Attributes.NONE.with("axis", -1), 1),
      List.of(gelu.entry(), weight("scale", Shape.of(2), new float[] {1, 1})));
    Node clip = apply("clip", "Clip", conv.entry(), Node.absent(), weight("max", Shape.SCALAR, new float[] {0.5f}));
    Graph graph = new Graph("net", List.of(x), List.of(new Graph.Output("clipped", clip.entry()),
      new Graph.Output("normed", norm.entry())));
    DeclaredType type = DeclaredType.of(TensorType.of(DType.FLOAT32, 1, 1, 2, 2));

    Path file = write(graph, type, type);

    float[] given = random(16, 5);
    List<TensorView> results = Oracle.run(file, Map.of("x", TensorView.ofFloats(Shape.of(1, 1, 4, 4), given)));
    float[] wanted = new float[4];
    for (int i = 0; i < 4; i++) {
      int at = (i / 2) * 8 + (i % 2) * 2;
      float value = given[at] * kernel[0] + given[at + 1] * kernel[1]
        + given[at + 4] * kernel[2] + given[at + 5] * kernel[3];
      wanted[i] = Math.min(0.5f, value);
    }
    assertArrayEquals(wanted, Models.floats(results.get(0)), 1e-5f);
    assertEquals(type.known().orElseThrow(), results.get(1).type());
    assertEquals(graph.toString(), OnnxReader.read(file, Models.operators()).toString());
  }

  @Test
  void everyElementTypeIsWritten() throws Exception {
    for (DType dtype : EnumSet.range(DType.FLOAT32, DType.UINT2)) {
      byte[] bytes = new byte[(int) dtype.bytes(3)];
      bytes[0] = 1;
      Node weight = Node.constant("w", new TensorView(TensorType.of(dtype, 3), MemorySegment.ofArray(bytes)));
      Attributes to = Attributes.NONE.with("to", new AttributeValue.Text("float64"));
      Node cast = Node.apply("cast", "Cast", to, List.of(weight.entry()));
      Graph graph = new Graph("types", List.of(), List.of(new Graph.Output("wide", cast.entry())));
      Path file = write(graph, DeclaredType.of(TensorType.of(DType.FLOAT64, 3)));
      assertEquals(graph.toString(), OnnxReader.read(file, Models.operators()).toString());
      if (dtype.isNarrow()) {
        // ONNX Runtime 1.29 ends the process on some of them.
        continue;
      }
      TensorView wide = Oracle.run(file, Map.of()).get(0);
      assertEquals(new TensorView(TensorType.of(dtype, 3), MemorySegment.ofArray(bytes)).doubleAt(0), wide.doubleAt(0));
    }
  }

  @Test
  void aFileDeclaresTheOpsetThatBroughtItsOperators() throws Exception {
    Map<String, Long> opsets = Map.of("Relu", 22L, "Swish", 24L, "CausalConvWithState", 27L, "LinearAttention", 27L);
    DeclaredType type = DeclaredType.of(TensorType.of(DType.FLOAT32, 2));
    for (Map.Entry<String, Long> one : opsets.entrySet()) {
      Node x = Node.input("x", type);
      Graph graph = new Graph("one", List.of(x), List.of(new Graph.Output("y", apply("node", one.getKey(), x.entry())
        .entry())));
      assertEquals(Map.of("", one.getValue()), OnnxReader.summary(write(graph, type)).origin().opsets(), one.getKey());
    }
  }

  @Test
  void outputsThatShareAValueOrAreInputsAreCopied() throws Exception {
    Node x = Node.input("x", DeclaredType.of(TensorType.of(DType.FLOAT32, 2)));
    Node relu = apply("relu", "Relu", x.entry());
    NodeEntry w = weight("w", Shape.of(2), new float[] {3, 4});
    List<Graph.Output> outputs = List.of(new Graph.Output("a", relu.entry()), new Graph.Output("b", relu.entry()),
      new Graph.Output("c", x.entry()), new Graph.Output("x", x.entry()), new Graph.Output("d", w));
    Graph graph = new Graph("shared", List.of(x), outputs);
    Path file = write(graph, outputs.stream().map(o -> DeclaredType.of(TensorType.of(DType.FLOAT32, 2)))
      .toArray(DeclaredType[]::new));
    List<TensorView> results = Oracle.run(file, Map.of("x", TensorView.ofFloats(Shape.of(2), -1, 2)));
    float[][] wanted = {{0, 2}, {0, 2}, {-1, 2}, {-1, 2}, {3, 4}};
    for (int i = 0; i < wanted.length; i++) {
      assertArrayEquals(wanted[i], Models.floats(results.get(i)));
    }
    assertEquals("return a=relu, b=b_copy, c=c_copy, x=x, d=d_copy", lastLine(OnnxReader.read(file,
      Models.operators())));
  }

  @Test
  void namesOfValuesGiveWayToNamesOfOutputs() throws Exception {
    Node x = Node.input("x", DeclaredType.of(TensorType.of(DType.FLOAT32, 4)));
    Node split = Node.apply("y", new NodeKind.Apply("Split", Attributes.NONE.with("num_outputs", 2), 2),
      List.of(x.entry()));
    Node other = apply("y:1", "Neg", split.entry(1));
    Graph graph = new Graph("names", List.of(x), List.of(new Graph.Output("y:1", split.entry(0)),
      new Graph.Output("y", other.entry())));
    DeclaredType type = DeclaredType.of(TensorType.of(DType.FLOAT32, 2));
    Path file = write(graph, type, type);
    List<TensorView> results = Oracle.run(file, Map.of("x", TensorView.ofFloats(Shape.of(4), 1, 2, 3, 4)));
    assertArrayEquals(new float[] {1, 2}, Models.floats(results.get(0)));
    assertArrayEquals(new float[] {-3, -4}, Models.floats(results.get(1)));
    assertEquals(graph.toString(), OnnxReader.read(file, Models.operators()).toString());
  }

  @Test
  void anInputAndAnOutputCannotShareAName() {
    Node x = Node.input("x", DeclaredType.of(TensorType.of(DType.FLOAT32, 2)));
    Graph graph = new Graph("clash", List.of(x), List.of(new Graph.Output("x", apply("r", "Relu", x.entry()).entry())));
    assertThrows(IllegalArgumentException.class, () -> write(graph, DeclaredType.of(TensorType.of(DType.FLOAT32, 2))));
    assertThrows(IllegalArgumentException.class, () -> write(graph));
    assertFalse(Files.exists(folder.resolve("w.onnx")));
  }

  @Test
  void manyWeightsGoBesideTheModel() throws Exception {
    Node x = Node.input("x", DeclaredType.of(TensorType.of(DType.FLOAT32, 1)));
    var outputs = new ArrayList<Graph.Output>();
    for (int i = 0; i < 5; i++) {
      NodeEntry weight = weight("w" + i, Shape.of(300 + i), random(300 + i, i));
      outputs.add(new Graph.Output("out" + i, apply("add" + i, "Add", x.entry(), weight).entry()));
    }
    NodeEntry small = weight("small", Shape.of(1), new float[] {7});
    outputs.add(new Graph.Output("small_out", apply("last", "Add", x.entry(), small).entry()));
    Graph graph = new Graph("large", List.of(x), outputs);
    List<DeclaredType> types = IntStream.range(0, 6)
      .mapToObj(i -> DeclaredType.of(TensorType.of(DType.FLOAT32, i < 5 ? 300 + i : 1))).toList();
    Path file = folder.resolve("w.onnx");

    OnnxWriter.write(graph, types, file, 4096);

    assertEquals(4 * 4096 + 304 * 4, Files.size(folder.resolve("w.onnx.data")));
    assertTrue(Files.size(file) < 2000, "bytes in the model: " + Files.size(file));
    Graph again = OnnxReader.read(file, Models.operators());
    assertEquals(graph.toString(), again.toString());
    List<TensorView> results = Oracle.run(file, Map.of("x", TensorView.ofFloats(Shape.of(1), 0)));
    for (int i = 0; i < 5; i++) {
      assertArrayEquals(random(300 + i, i), Models.floats(results.get(i)));
    }
    assertEquals(7, results.get(5).doubleAt(0));
    assertEquals(1510 * 4, OnnxReader.summary(file).weights().externalBytes());
    OnnxWriter.write(graph, types, folder.resolve("inline.onnx"), 1511 * 4);
    assertFalse(Files.exists(folder.resolve("inline.onnx.data")));
  }

  @Test
  void aGraphWithVariablesIsRefusedAndNothingIsWritten() throws Exception {
    NodeEntry w = Node.variable("w", TensorView.ofFloats(Shape.of(2), 1, 2)).entry();
    Node assign = Node.assign("a", List.of(w, w));
    List<DeclaredType> types = List.of(DeclaredType.of(TensorType.of(DType.FLOAT32, 2)));
    for (NodeEntry output : List.of(w, assign.entry())) {
      Graph graph = new Graph("state", List.of(), List.of(new Graph.Output("y", output)));
      var thrown = assertThrows(IllegalArgumentException.class,
        () -> OnnxWriter.write(graph, types, folder.resolve("state.onnx")));
      String message = String.valueOf(thrown.getMessage());
      assertTrue(message.startsWith("ONNX has no variables: node=w = variable"), message);
    }
    try (var left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void aFileMayBeReplacedWhileItsGraphIsInUse() throws Exception {
    Path file = folder.resolve("w.onnx");
    float[] values = random(2000, 6);
    Node x = Node.input("x", DeclaredType.of(TensorType.of(DType.FLOAT32, 1)));
    Graph graph = new Graph("g", List.of(x), List.of(new Graph.Output("y",
      apply("add", "Add", x.entry(), weight("w", Shape.of(2000), values)).entry())));
    DeclaredType type = DeclaredType.of(TensorType.of(DType.FLOAT32, 2000));
    for (long limit : new long[] {0, OnnxWriter.MAX_INLINE_BYTES}) {
      OnnxWriter.write(graph, List.of(type), file, limit);
      Graph mapped = OnnxReader.read(file, Models.operators());
      OnnxWriter.write(mapped, List.of(type), file, limit);
      TensorView y = Oracle.run(file, Map.of("x", TensorView.ofFloats(Shape.of(1), 0))).get(0);
      assertArrayEquals(values, Models.floats(y));
    }
    try (var left = Files.list(folder)) {
      assertTrue(left.noneMatch(path -> path.toString().endsWith(".part")));
    }
  }

  private Path write(Graph graph, DeclaredType... types) throws IOException, OrtException {
    Path file = folder.resolve("w.onnx");
    OnnxWriter.write(graph, List.of(types), file);
    return file;
  }

  private static String lastLine(Graph graph) {
    String text = graph.toString().strip();
    return text.substring(text.lastIndexOf('\n') + 1);
  }

  private static Node apply(String name, String operator, NodeEntry... inputs) {
    return Node.apply(name, operator, Attributes.NONE, List.of(inputs));
  }

  private static NodeEntry weight(String name, Shape shape, float[] values) {
    return Node.constant(name, TensorView.ofFloats(shape, values)).entry();
  }

  private static float[] random(int count, int seed) {
    Random random = new Random(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }
}
