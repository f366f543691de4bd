package dev.cairn.runtime.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphText;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The nine light models of the ONNX standard: opset 9, IR version 3. Counts were taken from the files by other means.
 */
class LightModelsTest {
  private static final String MODELS = """
    bvlc_alexnet, ConstantOfShape=16 Conv=5 Dropout=2 Gemm=3 LRN=2 MaxPool=3 Relu=7 Reshape=1 Softmax=1, 17
    densenet121, Add=121 AveragePool=3 BatchNormalization=121 Concat=58 ConstantOfShape=836 Conv=121 \
    GlobalAveragePool=1 MaxPool=1 Mul=121 Relu=121 Unsqueeze=242, 848
    inception_v1, AveragePool=1 Concat=9 ConstantOfShape=93 Conv=57 Dropout=1 Gemm=1 LRN=2 MaxPool=13 \
    Relu=57 Reshape=2 Softmax=1, 118
    inception_v2, Add=69 AveragePool=8 BatchNormalization=69 Concat=10 ConstantOfShape=407 Conv=69 \
    Gemm=1 MaxPool=5 Mul=69 Relu=69 Reshape=1 Softmax=1 Unsqueeze=138, 486
    resnet50, AveragePool=1 BatchNormalization=53 ConstantOfShape=239 Conv=53 Gemm=1 MaxPool=1 Relu=49 \
    Reshape=1 Softmax=1 Sum=16, 269
    shufflenet, AveragePool=4 BatchNormalization=49 Concat=3 ConstantOfShape=243 Conv=49 Gemm=1 \
    MaxPool=1 Relu=33 Reshape=33 Softmax=1 Sum=13 Transpose=16, 281
    squeezenet, Concat=8 ConstantOfShape=39 Conv=26 Dropout=1 GlobalAveragePool=1 MaxPool=3 Relu=26 \
    Softmax=1, 52
    vgg19, ConstantOfShape=36 Conv=16 Dropout=2 Gemm=3 MaxPool=5 Relu=18 Reshape=1 Softmax=1, 39
    zfnet512, ConstantOfShape=16 Conv=5 Gemm=3 LRN=2 MaxPool=3 Relu=7 Reshape=1 Softmax=1, 18
    """;

  @TempDir
  private Path folder;

  @ParameterizedTest(name = "{0}")
  @CsvSource(textBlock = MODELS)
  void summaryCountsWhatTheFileHas(String name, String counts, int initializers) {
    var summary = OnnxReader.summary(model(name));

    assertEquals(counts(counts), summary.operators());
    assertEquals(initializers, summary.weights().tensors());
    assertEquals(3, summary.origin().irVersion());
    assertEquals(Map.of("", 9L), summary.origin().opsets());
    assertEquals(1, summary.inputs().size());
    assertEquals("float32[1x3x224x224]", summary.inputs().get(0).type());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(textBlock = MODELS)
  void graphHasTheSameOperatorsWithSoftmaxUpgraded(String name, String counts, int initializers) {
    Graph graph = OnnxReader.read(model(name), Models.operators());

    var wanted = counts(counts);
    for (String beside : List.of("Flatten", "Shape", "Reshape")) {
      wanted.merge(beside, wanted.getOrDefault("Softmax", 0), Integer::sum);
    }
    wanted.values().removeIf(count -> count == 0);
    assertEquals(wanted, counts(graph));
    assertEquals(1, graph.inputs().size());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(textBlock = MODELS)
  void graphIsTheSameAfterWritingAndReading(String name, String counts, int initializers) throws IOException {
    Graph graph = OnnxReader.read(model(name), Models.operators());
    Path file = folder.resolve("again.onnx");

    List<DeclaredType> types = List.of(new DeclaredType(DType.FLOAT32,
      List.of(new Dimension.Fixed(1), new Dimension.Fixed(1000))));
    OnnxWriter.write(graph, types, file);

    assertEquals(GraphText.of(graph), GraphText.of(OnnxReader.read(file, Models.operators())));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(textBlock = MODELS)
  void expectedOutputIsRead(String name, String counts, int initializers) {
    Path file = Models.shared("onnx-light/light_" + name + "_output_0.pb").orElse(Path.of(""));
    assumeTrue(!file.toString().isEmpty(), "skipped: no data");

    var expected = OnnxTensors.read(file);

    assertEquals(DType.FLOAT32, expected.dtype());
    assertEquals(1000, expected.elementCount());
    assertEquals(Shape.of(1, 1000).elementCount(), expected.shape().elementCount());
  }

  private static Path model(String name) {
    Optional<Path> model = Models.shared("onnx-light/light_" + name + ".onnx");
    assumeTrue(model.isPresent(), "skipped: no data");
    return model.orElseThrow();
  }

  private static SortedMap<String, Integer> counts(String text) {
    SortedMap<String, Integer> counts = new TreeMap<>();
    for (String one : text.split(" ", -1)) {
      int equals = one.indexOf('=');
      counts.put(one.substring(0, equals), Integer.valueOf(one.substring(equals + 1)));
    }
    return counts;
  }

  private static SortedMap<String, Integer> counts(Graph graph) {
    SortedMap<String, Integer> counts = new TreeMap<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Apply apply) {
        counts.merge(apply.operator(), 1, Integer::sum);
      }
    }
    return counts;
  }
}
