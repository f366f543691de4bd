package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxTensors;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.ModelFiles;
import dev.cairn.runtime.zoo.RandomWeights;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The nine light models of the ONNX standard: real architectures with made-up weights. As they are, they give the
 * outputs that the standard expects. Since eight of them end in a softmax of equal numbers whatever the layers
 * compute, each also runs with random weights, without the softmax, against ONNX Runtime.
 */
class LightModelsTest {
  private static final long SEED = 20;

  @TempDir
  private Path folder;

  /** Models with branches, with groups, and without either. */
  @ParameterizedTest
  @ValueSource(strings = {"shufflenet", "squeezenet"})
  void givesTheExpectedOutputUnderEveryPlanner(String name) {
    assertExpected(name, Integer.MAX_VALUE);
  }

  /** All plans are judged, and the first two that differ run. */
  @ParameterizedTest
  @ValueSource(strings = {"densenet121", "inception_v1"})
  void givesTheExpectedOutput(String name) {
    assertExpected(name, 2);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"bvlc_alexnet", "inception_v2", "resnet50", "vgg19", "zfnet512"})
  void largeModelsGiveTheExpectedOutput(String name) {
    assertExpected(name, 2);
  }

  @ParameterizedTest
  @Tag("soak")
  @ValueSource(strings = {"bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50", "vgg19",
    "zfnet512"})
  void largeModelsGiveTheExpectedOutputUnderEveryPlanner(String name) {
    assertExpected(name, Integer.MAX_VALUE);
  }

  /** @param mostRuns each plan runs once: several planners find the same one for a model without branches */
  private void assertExpected(String name, int mostRuns) {
    Graph graph = ModelFiles.read(model(name));
    TensorView wanted = OnnxTensors.read(SharedData.require("onnx-light/light_" + name + "_output_0.pb"));
    Map<String, TensorView> inputs = Map.of(graph.inputs().get(0).name(), dummy(Shape.of(1, 3, 224, 224)));
    Set<List<?>> seen = new HashSet<>();
    try (var runner = new PlannedRun()) {
      CompiledGraph first = runner.compile(graph, inputs, PlannedRun.Setting.of(PlannerChoice.BEST_FIT, true));
      MemoryProblem problem = first.storage().problem();
      for (PlannerChoice planner : PlannerChoice.ofProblems()) {
        MemoryPlan plan = PlanValidator.requireValid(problem, planner.planner().plan(problem));
        CompiledGraph compiled = first.withPlan(plan, 0);
        PlannedMemory.assertLittlePadding(compiled.score());
        if (seen.size() == mostRuns || !seen.add(List.of(plan.pools(), plan.placements()))) {
          continue;
        }
        List<TensorView> outputs = runner.run(compiled, inputs);
        assertEquals(1, outputs.size());
        TensorView output = outputs.get(0).reshaped(wanted.shape());
        assertEquals(Optional.empty(), Closeness.OF_BACKEND_TESTS.difference(wanted, output), planner.toString());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shufflenet", "squeezenet"})
  void equalsOnnxRuntimeWithRandomWeightsBeforeTheSoftmax(String name) throws IOException, OrtException {
    assertEqualsOnnxRuntime(name, Precision.AS_WRITTEN);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"densenet121", "inception_v1", "inception_v2", "resnet50"})
  void largerModelsEqualOnnxRuntimeWithRandomWeights(String name) throws IOException, OrtException {
    assertEqualsOnnxRuntime(name, Precision.AS_WRITTEN);
  }

  @ParameterizedTest
  @ValueSource(strings = "shufflenet")
  void isCloseToOnnxRuntimeInBfloat16(String name) throws IOException, OrtException {
    assertEqualsOnnxRuntime(name, Precision.BFLOAT16);
  }

  @ParameterizedTest
  @Tag("soak")
  @ValueSource(strings = {"bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50", "squeezenet",
    "vgg19", "zfnet512"})
  void furtherModelsAreCloseToOnnxRuntimeInBfloat16(String name) throws IOException, OrtException {
    assertEqualsOnnxRuntime(name, Precision.BFLOAT16);
  }

  /** Models with hundreds of megabytes of weights. */
  @ParameterizedTest
  @Tag("soak")
  @ValueSource(strings = {"bvlc_alexnet", "vgg19", "zfnet512"})
  void largeModelsEqualOnnxRuntimeWithRandomWeights(String name) throws IOException, OrtException {
    assertEqualsOnnxRuntime(name, Precision.AS_WRITTEN);
  }

  private void assertEqualsOnnxRuntime(String name, Precision precision) throws IOException, OrtException {
    Path file = folder.resolve(name + ".onnx");
    Graph graph = withoutSoftmax(ModelFiles.read(model(name)));
    try (Arena arena = Arena.ofShared()) {
      var values = new SeededValues(SEED, arena);
      Graph random = RandomWeights.replaced(graph, types(graph), SEED);
      OnnxWriter.write(random, DeclaredOutputs.of(random), file);
      SameFile.assertSame(file,
        Map.of(graph.inputs().get(0).name(), values.floats(Shape.of(1, 3, 224, 224), -1, 1)), precision, _ -> {});
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static Path model(String name) {
    return SharedData.require("onnx-light/light_" + name + ".onnx");
  }

  /** What the backend tests give a model without inputs of its own: {@code value[i] = i / n}. */
  private static TensorView dummy(Shape shape) {
    float[] values = new float[Math.toIntExact(shape.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) ((double) i / values.length);
    }
    return TensorView.ofFloats(shape, values);
  }

  private static GraphTypes types(Graph graph) {
    Map<String, TensorType> inputs = InputBinding.ofShapes(graph, Map.of());
    return new TypeInference(StandardOperators.table(), ValueEvaluator.NONE).infer(graph, inputs);
  }

  /** The graph up to what its last softmax reads; as it is where there is none. */
  private static Graph withoutSoftmax(Graph graph) {
    for (Node node : graph.nodes().reversed()) {
      if (node.operator().equals("Softmax")) {
        return graph.withOutputs(List.of(new Graph.Output("logits", node.inputs().get(0))));
      }
    }
    return graph;
  }
}
