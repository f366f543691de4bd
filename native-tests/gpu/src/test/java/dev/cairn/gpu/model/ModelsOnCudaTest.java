package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.Tensor;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reference models give on CUDA what they give on the processor, with matrix products and convolutions. */
class ModelsOnCudaTest {
  private static final int TERMS = 4096;

  static Map<String, Tensor> inputs(Graph graph) {
    var random = new Random(11);
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

  /** Launched, recorded and repeated. */
  private static void check(String name, int streams) {
    Graph graph = Zoo.build(name, ZooOptions.DEFAULT.withSequenceLength(8));
    Map<String, Tensor> inputs = inputs(graph);
    SessionOptions options = SessionOptions.DEFAULT.withStreams(streams);
    try (var cpu = Session.of(graph, options.withThreads(2));
      var gpu = Session.of(graph, options.withDevice(CudaUnderTest.device()));
      Result expected = cpu.run(inputs)) {
      for (int run = 0; run < 3; run++) {
        try (Result actual = gpu.run(inputs)) {
          assertThat(actual.names()).isEqualTo(expected.names());
          for (String output : expected.names()) {
            Tolerance.of(DType.FLOAT32, TERMS).check("%s of %s in run %d".formatted(output, name, run), expected.get(
              output).view(), actual.get(output).view());
          }
        }
      }
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }

  @Test
  void aPerceptron() {
    check("mlp", 1);
  }

  @Test
  void aPerceptronOnTwoStreams() {
    check("mlp", 2);
  }

  @Test
  @Tag("soak")
  void allReferenceModels() {
    for (String name : Zoo.names()) {
      check(name, 2);
    }
  }
}
