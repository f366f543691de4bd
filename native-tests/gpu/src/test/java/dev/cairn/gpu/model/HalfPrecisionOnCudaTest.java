package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Models in 16 bits on CUDA beside float32 on the processor. The largest error allowed is a number of roundings of the
 * half type, of the largest output: 8 for a few layers, 64 for the deep models.
 */
@Tag("long")
class HalfPrecisionOnCudaTest {
  private static void check(Graph graph, Precision precision, int roundings) {
    Map<String, Tensor> inputs = Models.inputs(graph, 5);
    SessionOptions half = SessionOptions.DEFAULT.withThreads(1).withCompile(CompileOptions.DEFAULT.withPrecision(
      precision)).withDevice(CudaUnderTest.device());
    double rounding = precision == Precision.FLOAT16 ? 0x1p-11 : 0x1p-8;
    try (var cpu = Session.of(graph, SessionOptions.DEFAULT);
      var gpu = Session.of(graph, half);
      Result expected = cpu.run(inputs)) {
      for (int run = 0; run < 3; run++) {
        try (Result actual = gpu.run(inputs)) {
          for (String name : expected.names()) {
            Models.assertClose(name, expected.get(name), actual.get(name), roundings * rounding);
          }
        }
      }
      String text = gpu.compiled().orElseThrow().graph().graph().toString();
      assertThat(text).contains(precision.toString());
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "AS_WRITTEN", mode = EnumSource.Mode.EXCLUDE)
  void aPerceptron(Precision precision) {
    check(Zoo.build("mlp", ZooOptions.DEFAULT), precision, 8);
  }

  @ParameterizedTest
  @EnumSource(names = "AS_WRITTEN", mode = EnumSource.Mode.EXCLUDE)
  void attentionBetweenNormalisations(Precision precision) {
    check(attention(), precision, 8);
  }

  @ParameterizedTest
  @EnumSource(names = "AS_WRITTEN", mode = EnumSource.Mode.EXCLUDE)
  void convolutionsAndPools(Precision precision) {
    var builder = new GraphBuilder("convolutions");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 1, 3, 10, 10));
    NodeEntry first = builder.apply("Conv", Models.window(3), x, builder.constant("v", Models.weights(Shape.of(8, 3, 3,
      3), 1)));
    NodeEntry pooled = builder.apply("MaxPool", Models.window(3), builder.apply("Relu", first));
    NodeEntry second = builder.apply("Conv", Models.window(1), pooled, builder.constant("w", Models.weights(Shape.of(5,
      8, 1, 1), 2)));
    builder.output("y", builder.apply("GlobalAveragePool", second));
    check(builder.build(), precision, 8);
  }

  /** One head over 6 tokens of 16 numbers, as exporters write it. */
  private static Graph attention() {
    var builder = new GraphBuilder("attention");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 6, 16));
    NodeEntry scale = builder.constant("scale", Models.weights(Shape.of(16), 3));
    NodeEntry normal = builder.apply("LayerNormalization", Models.axis(-1), x, scale);
    NodeEntry query = builder.apply("MatMul", normal, builder.constant("q", Models.weights(Shape.of(16, 16), 4)));
    NodeEntry key = builder.apply("MatMul", normal, builder.constant("k", Models.weights(Shape.of(16, 16), 5)));
    NodeEntry value = builder.apply("MatMul", normal, builder.constant("v", Models.weights(Shape.of(16, 16), 6)));
    NodeEntry scores = builder.apply("Div", builder.apply("MatMul", query, builder.apply("Transpose", key)), builder
      .constant("root", TensorView.ofFloats(Shape.of(), 4)));
    NodeEntry mixed = builder.apply("MatMul", builder.apply("Softmax", scores), value);
    NodeEntry sum = builder.apply("Add", x, mixed);
    builder.output("y", builder.apply("LayerNormalization", Models.axis(-1), sum, scale));
    return builder.build();
  }

  @ParameterizedTest
  @Tag("soak")
  @CsvSource({"mobilenet_v2, FLOAT16", "mobilenet_v2, BFLOAT16", "bert_base, FLOAT16", "bert_base, BFLOAT16",
    "gpt2, FLOAT16", "resnet50, FLOAT16"})
  void deepModels(String name, Precision precision) {
    check(Zoo.build(name, ZooOptions.DEFAULT.withSequenceLength(8)), precision, 64);
  }
}
