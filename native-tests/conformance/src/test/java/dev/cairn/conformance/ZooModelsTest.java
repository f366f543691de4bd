package dev.cairn.conformance;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
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
import java.util.LinkedHashMap;
import java.util.Map;
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
    Map.of("input_ids", 30522L, "attention_mask", 2L, "token_type_ids", 2L), "gpt2", Map.of("input_ids", 50257L));

  @TempDir
  private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"mlp", "resnet50", "mobilenet_v2", "bert_base", "gpt2"})
  void equalsOnnxRuntime(String name) throws IOException, OrtException {
    assertSame(name, ZooOptions.DEFAULT.withSequenceLength(TOKENS), 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mlp", "mobilenet_v2", "bert_base"})
  void equalsOnnxRuntimeWithTheBatchLeftOpen(String name) throws IOException, OrtException {
    assertSame(name, ZooOptions.DEFAULT.withSequenceLength(TOKENS / 2).withSymbolicBatch(), 1, 3);
  }

  private void assertSame(String name, ZooOptions options, long... batches) throws IOException, OrtException {
    Path file = folder.resolve(name + ".onnx");
    Graph graph = Zoo.build(name, options);
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
    try (Arena arena = Arena.ofShared()) {
      var values = new SeededValues(SEED, arena);
      for (long batch : batches) {
        SameFile.assertSame(file, inputs(name, graph, batch, values));
      }
    } finally {
      Files.deleteIfExists(file);
    }
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
