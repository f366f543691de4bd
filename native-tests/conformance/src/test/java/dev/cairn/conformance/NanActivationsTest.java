package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What activations make of NaN, by themselves and behind products: NaN, as ONNX Runtime does. Where oneDNN computes an
 * activation with a product, some give a number instead, as the page on differences says.
 */
class NanActivationsTest {
  private static final Shape SHAPE = Shape.of(1, 16, 16, 16);

  @TempDir
  private Path folder;

  /** An activation, and what oneDNN's fused one gives for NaN if that is a number. */
  private record Case(String product, String activation, OptionalDouble fused) {}

  static Stream<Case> cases() {
    return Stream.of("", "Conv", "Gemm", "MatMul").flatMap(product -> Stream.of( //
      new Case(product, "Relu", OptionalDouble.of(0)),
      new Case(product, "Clip", OptionalDouble.of(-0.5)),
      new Case(product, "HardSigmoid", OptionalDouble.of(1)),
      new Case(product, "LeakyRelu", OptionalDouble.empty()),
      new Case(product, "HardSwish", OptionalDouble.empty()),
      new Case(product, "Sigmoid", OptionalDouble.empty()),
      new Case(product, "Tanh", OptionalDouble.empty()),
      new Case(product, "Gelu", OptionalDouble.empty()),
      new Case(product, "Swish", OptionalDouble.empty()),
      new Case(product, "Elu", OptionalDouble.empty())));
  }

  private static NodeEntry product(GraphBuilder graph, String product, NodeEntry x) {
    float[] ones = new float[256];
    Arrays.fill(ones, 1);
    return switch (product) {
      case "Conv" -> graph.apply("Conv", Attributes.NONE, x, graph.constant("w", TensorView.ofFloats(Shape.of(16, 16, 1,
        1), ones)));
      case "Gemm" -> graph.apply("Gemm", Attributes.NONE, graph.apply("Reshape", Attributes.NONE, x, graph.constant("s",
        TensorView.ofLongs(-1, 16))), graph.constant("w", TensorView.ofFloats(Shape.of(16, 16), ones)));
      case "MatMul" -> graph.apply("MatMul", Attributes.NONE, x, graph.constant("w", TensorView.ofFloats(Shape.of(16,
        16), ones)));
      default -> x;
    };
  }

  private Path model(Case made) throws IOException {
    var graph = new GraphBuilder("activation");
    NodeEntry x = product(graph, made.product, graph.input("x", new TensorType(DType.FLOAT32, SHAPE)));
    graph.output("y", made.activation.equals("Clip")
      ? graph.apply("Clip", Attributes.NONE, x, graph.constant("low", TensorView.ofFloats(Shape.SCALAR, -0.5f)), graph
        .constant("high", TensorView.ofFloats(Shape.SCALAR, 6f)))
      : graph.apply(made.activation, Attributes.NONE, x));
    Graph built = graph.build();
    Path file = folder.resolve("model.onnx");
    Files.deleteIfExists(file);
    OnnxWriter.write(built, DeclaredOutputs.of(built), file);
    return file;
  }

  private static float[] run(Path file, float[] values, SessionOptions options) throws IOException {
    try (Session session = Session.open(file, options);
      Tensor x = Tensor.of(values, SHAPE.extents());
      Result result = session.run(Map.of("x", x))) {
      return result.get("y").toFloatArray();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void areNanAsInOnnxRuntimeUnlessOneDnnFusesThem(Case made) throws IOException, OrtException {
    Path file = model(made);
    float[] values = new float[Math.toIntExact(SHAPE.elementCount())];
    Arrays.fill(values, Float.NaN);
    try (Oracle oracle = Oracle.open(file)) {
      TensorView wanted = Objects.requireNonNull(oracle.run(Map.of("x", TensorView.ofFloats(SHAPE, values))).get("y"));
      for (long i = 0; i < wanted.elementCount(); i++) {
        assertThat(wanted.doubleAt(i)).isNaN();
      }
    }
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1);
    for (float found : run(file, values, options.withCompile(CompileOptions.DEFAULT.withFusion(FusionChoice.OFF)))) {
      assertThat(found).isNaN();
    }
    for (float found : run(file, values, options)) {
      boolean isFused = !made.product.isEmpty() && made.fused.isPresent() && !Float.isNaN(found);
      assertThat(Double.valueOf(found)).isEqualTo(Double.valueOf(isFused ? made.fused.getAsDouble() : Double.NaN));
    }
  }
}
