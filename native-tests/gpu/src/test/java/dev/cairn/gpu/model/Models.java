package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.ModelFiles;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.zoo.RandomWeights;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;

/** Real architectures and inputs for them. */
final class Models {
  private static final long SEED = 20;

  private Models() {}

  /**
   * A light model of the ONNX standard, with random weights and up to what its softmax reads: as they are, most give
   * the same number everywhere. Skipped by name where the data is not there.
   */
  static Graph light(String name) {
    Path file = Path.of(System.getProperty("cairn.shared", "../../../shared"), "data/onnx-light/light_" + name
      + ".onnx");
    Assumptions.assumeTrue(Files.isRegularFile(file), "skipped: no data");
    Graph graph = beforeSoftmax(ModelFiles.read(file));
    GraphTypes types = new TypeInference(StandardOperators.table(), ValueEvaluator.NONE).infer(graph, InputBinding
      .ofShapes(graph, Map.of()));
    return RandomWeights.replaced(graph, types, SEED);
  }

  private static Graph beforeSoftmax(Graph graph) {
    for (Node node : graph.nodes().reversed()) {
      if (node.operator().equals("Softmax")) {
        return graph.withOutputs(List.of(new Graph.Output("logits", node.inputs().getFirst())));
      }
    }
    return graph;
  }

  /** Real numbers of [-0.5, 0.5), whole numbers 0 or 1, which are valid as words, masks and token types alike. */
  static Map<String, Tensor> inputs(Graph graph, long seed) {
    var random = new Random(seed);
    Map<String, Tensor> inputs = new LinkedHashMap<>();
    graph.inputs().forEach(node -> {
      if (node.kind() instanceof NodeKind.Input(DeclaredType declared)) {
        inputs.put(node.name(), input(declared.known().orElseThrow(), random));
      }
    });
    return inputs;
  }

  private static Tensor input(TensorType type, Random random) {
    int count = Math.toIntExact(type.shape().elementCount());
    if (type.dtype() == DType.INT64) {
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        values[i] = random.nextInt(2);
      }
      return Tensor.of(values, type.shape().extents());
    }
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return Tensor.of(values, type.shape().extents());
  }

  /** A square window whose results are as large as what it slides over. */
  static Attributes window(int width) {
    long edge = width / 2;
    return Attributes.NONE.with("kernel_shape", new AttributeValue.Ints(List.of((long) width, (long) width))).with(
      "pads", new AttributeValue.Ints(List.of(edge, edge, edge, edge)));
  }

  static Attributes axis(long axis) {
    return Attributes.NONE.with("axis", axis);
  }

  /** Random weights whose products with values of about 1 are of about 1. */
  static TensorView weights(Shape shape, long seed) {
    var random = new Random(seed);
    float[] values = new float[Math.toIntExact(shape.elementCount())];
    double bound = Math.sqrt(3.0 / Math.max(1, shape.elementCount() / shape.extent(0)));
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) ((random.nextDouble() * 2 - 1) * bound);
    }
    return TensorView.ofFloats(shape, values);
  }

  /**
   * Fails unless all elements agree within a part of the largest one: deep in a model, small elements are differences
   * of large ones.
   */
  static void assertClose(String what, Tensor expected, Tensor actual, double part) {
    assertThat(actual.view().type()).as(what).isEqualTo(expected.view().type());
    float[] wanted = expected.toFloatArray();
    float[] got = actual.toFloatArray();
    double largest = 0;
    for (float value : wanted) {
      largest = Math.max(largest, Math.abs(value));
    }
    for (int i = 0; i < wanted.length; i++) {
      assertThat((double) got[i]).as("%s: index=%d largest=%s", what, i, largest).isCloseTo(wanted[i], within(part
        * largest));
    }
  }
}
