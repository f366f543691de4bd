package dev.cairn.conformance;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reference models, saved as ONNX, give the same outputs in Cairn as in ONNX Runtime. */
class ZooModelsTest {
  private static final long SEED = 30;
  /** Long enough for masks and positions to matter, short enough for a test. */
  private static final int TOKENS = 32;
  /** How many words each input that names words or the like knows. */
  private static final Map<String, Map<String, Long>> WORDS = Map.of("bert_base",
    Map.of("input_ids", 30522L, "attention_mask", 2L, "token_type_ids", 2L), "gpt2", Map.of("input_ids", 50257L),
    "lstm_lm", Map.of("input", 10_000L));

  @TempDir
  private Path folder;

  /** One of each family: dense, recurrent, residual, depthwise, and an encoder. */
  @ParameterizedTest
  @ValueSource(strings = {"mlp", "lenet", "lstm_lm", "resnet18", "mobilenet_v2", "bert_base"})
  void equalsOnnxRuntime(String name) throws IOException, OrtException {
    assertSame(name, firstLayers(name, ZooOptions.DEFAULT.withSequenceLength(TOKENS)), Precision.AS_WRITTEN, 1);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"resnet50", "gpt2"})
  void largerModelsEqualOnnxRuntime(String name) throws IOException, OrtException {
    assertSame(name, firstLayers(name, ZooOptions.DEFAULT.withSequenceLength(TOKENS)), Precision.AS_WRITTEN, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mlp", "lenet"})
  void isCloseToOnnxRuntimeInBfloat16(String name) throws IOException, OrtException {
    assertSame(name, firstLayers(name, ZooOptions.DEFAULT.withSequenceLength(TOKENS)), Precision.BFLOAT16, 1);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"mobilenet_v2", "bert_base"})
  void largerModelsAreCloseToOnnxRuntimeInBfloat16(String name) throws IOException, OrtException {
    assertSame(name, firstLayers(name, ZooOptions.DEFAULT.withSequenceLength(TOKENS)), Precision.BFLOAT16, 1);
  }

  @ParameterizedTest
  @Tag("soak")
  @ValueSource(strings = {"lstm_lm", "resnet50", "gpt2"})
  void furtherModelsAreCloseToOnnxRuntimeInBfloat16(String name) throws IOException, OrtException {
    assertSame(name, firstLayers(name, ZooOptions.DEFAULT.withSequenceLength(TOKENS)), Precision.BFLOAT16, 1);
  }

  @ParameterizedTest
  @Tag("soak")
  @ValueSource(strings = {"bert_base", "gpt2"})
  void wholeTextModelsEqualOnnxRuntime(String name) throws IOException, OrtException {
    assertSame(name, Zoo.build(name, ZooOptions.DEFAULT.withSequenceLength(TOKENS)), Precision.AS_WRITTEN, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mlp", "lenet", "lstm_lm"})
  void equalsOnnxRuntimeWithTheBatchLeftOpen(String name) throws IOException, OrtException {
    assertSame(name, firstLayers(name, ZooOptions.DEFAULT.withSequenceLength(TOKENS / 2).withSymbolicBatch()),
      Precision.AS_WRITTEN, 1, 3);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"mobilenet_v2", "bert_base"})
  void largerModelsEqualOnnxRuntimeWithTheBatchLeftOpen(String name) throws IOException, OrtException {
    assertSame(name, firstLayers(name, ZooOptions.DEFAULT.withSequenceLength(TOKENS / 2).withSymbolicBatch()),
      Precision.AS_WRITTEN, 1, 3);
  }

  /** A text model up to its fifth layer normalization, which is behind two layers of attention; others whole. */
  private static Graph firstLayers(String name, ZooOptions options) {
    Graph graph = Zoo.build(name, options);
    List<Node> norms = graph.nodes().stream().filter(node -> node.operator().equals("LayerNormalization")).toList();
    return norms.isEmpty() ? graph : graph.withOutputs(List.of(new Graph.Output("hidden", norms.get(4).entry())));
  }

  private void assertSame(String name, Graph graph, Precision precision, long... batches) throws IOException,
    OrtException {
    Path file = folder.resolve(name + ".onnx");
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
    try (Arena arena = Arena.ofShared()) {
      var values = new SeededValues(SEED, arena);
      for (long batch : batches) {
        SameFile.assertSame(file, inputs(name, graph, batch, values), precision, compiled -> assertAttention(graph,
          compiled));
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** What is compared is what runs unless told otherwise: attention as one step of each layer, which has two norms. */
  private static void assertAttention(Graph graph, CompiledGraph compiled) {
    long layers = graph.nodes().stream().filter(node -> node.operator().equals("LayerNormalization")).count() / 2;
    Assertions.assertEquals(layers, compiled.storage().steps().stream().filter(it -> it.operator().equals("Attention"))
      .count());
    Assertions.assertTrue(layers == 0 || compiled.storage().steps().stream().noneMatch(it -> it.operator().equals(
      "Softmax")));
  }

  /**
   * Texts as batches have them: whole, filled up at the right, at the left and around the middle, and one of nothing
   * but padding, of which every token is the mean of all.
   */
  @ParameterizedTest
  @Tag("long")
  @ValueSource(ints = {1, 7})
  void paddingIsAsInOnnxRuntime(int tokens) throws IOException, OrtException {
    long[][] texts = {{0, tokens}, {0, (tokens + 1) / 2}, {tokens / 2, tokens}, {tokens / 3, tokens - tokens / 3}, {0,
      0}};
    Path file = folder.resolve("bert.onnx");
    Graph graph = firstLayers("bert_base", ZooOptions.DEFAULT.withSequenceLength(tokens).withBatch(texts.length));
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
    try (Arena arena = Arena.ofShared()) {
      Map<String, TensorView> inputs = inputs("bert_base", graph, texts.length, new SeededValues(SEED, arena));
      long[] mask = new long[texts.length * tokens];
      for (int text = 0; text < texts.length; text++) {
        Arrays.fill(mask, text * tokens + (int) texts[text][0], text * tokens + (int) texts[text][1], 1);
      }
      inputs.put("attention_mask", TensorView.ofLongs(mask).reshaped(Shape.of(texts.length, tokens)));
      SameFile.assertSame(file, inputs, compiled -> assertAttention(graph, compiled));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Texts of a token or two, where what lies behind each query is nearly all. */
  @ParameterizedTest
  @Tag("long")
  @ValueSource(ints = {1, 5})
  void shortTextsAreAsInOnnxRuntime(int tokens) throws IOException, OrtException {
    assertSame("gpt2", firstLayers("gpt2", ZooOptions.DEFAULT.withSequenceLength(tokens).withBatch(2)),
      Precision.AS_WRITTEN, 2);
  }

  private static Map<String, TensorView> inputs(String name, Graph graph, long batch, SeededValues values) {
    Map<String, TensorView> inputs = new LinkedHashMap<>();
    for (Node input : graph.inputs()) {
      if (!(input.kind() instanceof NodeKind.Input(DeclaredType type))) {
        throw new AssertionError("an input is an input: node=" + input);
      }
      long[] extents = type.dimensions().stream()
        .mapToLong(it -> it instanceof Dimension.Fixed(long extent) ? extent : batch)
        .toArray();
      Shape shape = Shape.of(extents);
      inputs.put(input.name(), type.dtype() == DType.FLOAT32
        ? values.floats(shape, -1, 1)
        : values.longs(shape, WORDS.getOrDefault(name, Map.of()).getOrDefault(input.name(), 1L)));
    }
    return inputs;
  }
}
