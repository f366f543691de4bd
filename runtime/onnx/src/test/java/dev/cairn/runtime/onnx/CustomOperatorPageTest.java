package dev.cairn.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.custom.CompositeOperator;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.executor.StepFailed;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/howto/custom-operator.md are lines of this file, and print what the page says. */
class CustomOperatorPageTest {
  private static final Path ROOT = Path.of(System.getProperty("cairn.root", "../.."));

  @TempDir
  private Path folder;

  static final KernelOperator SQUARE = KernelOperator.of("my::Square", 1, context -> List.of(context.input(0)))
    .withKernel(call -> {
      MemorySegment x = call.input(0).segment();
      MemorySegment y = call.output(0).segment();
      for (long i = 0; i < call.output(0).elementCount(); i++) {
        float value = x.getAtIndex(ValueLayout.JAVA_FLOAT, i);
        y.setAtIndex(ValueLayout.JAVA_FLOAT, i, value * value);
      }
    })
    .withMemory(MemoryTraits.FIRST_IN_PLACE);

  private static void session(PrintStream out) {
    var graph = new GraphBuilder("squares");
    NodeEntry x = graph.input("x", TensorType.of(DType.FLOAT32, 3));
    graph.output("y", graph.apply("my::Square", graph.apply("Relu", x)));

    SessionOptions options = SessionOptions.DEFAULT.withOperators(OperatorRegistry.of(SQUARE));
    try (Session session = Session.of(graph.build(), options);
      Result result = session.run(Map.of("x", Tensor.of(new float[] {-1, 2, 3}, 3)))) {
      out.println(Arrays.toString(result.get("y").toFloatArray()));
    }
  }

  private static final CompositeOperator MISH = CompositeOperator.of("my::Mish", 1, CustomOperatorPageTest::mish);

  private static <T extends Expression<T>> List<T> mish(List<T> inputs, Attributes attributes) {
    T x = inputs.get(0);
    return List.of(x.mul(x.exp().add(1).log().tanh()));
  }

  private static void arrays(PrintStream out) {
    ArrayOptions options = ArrayOptions.DEFAULT.withOperators(OperatorRegistry.of(SQUARE, MISH));
    try (var arrays = ArrayRuntime.open(options); var _ = arrays.scope()) {
      NDArray x = arrays.of(new float[] {0, 1, 2}, 3);
      out.println(x.call("my::Square", Attributes.NONE));
      out.println(x.call("my::Mish", Attributes.NONE));
    }
  }

  private static void files(Path model, Path functions, PrintStream out) {
    OperatorRegistry own = OperatorRegistry.of(SQUARE);
    OperatorRegistry all = own.with(OnnxFunctions.read(functions, own));
    try (Session session = Session.open(model, SessionOptions.DEFAULT.withOperators(all));
      Result result = session.run(Map.of("x", Tensor.of(new float[] {1, 2}, 2)))) {
      out.println(Arrays.toString(result.get("y").toFloatArray()));
    }
  }

  private static Session checked(Graph graph) {
    OperatorRegistry operators = OperatorRegistry.of(SQUARE).checked();
    return Session.of(graph, SessionOptions.DEFAULT.withOperators(operators));
  }

  @Test
  void thePageHasTheseLinesAndSaysWhatTheyPrint() throws IOException {
    Path functions = Files.write(folder.resolve("functions.onnx"), ownFunction().toByteArray());
    ModelProto model = Models.model(17, new long[] {2}, OwnDomainTest.own("h = Square(x)"), OwnDomainTest.own(
      "y = Twice(h)")).toBuilder().addOpsetImport(Models.opset("my", 1)).build();
    var printed = new ByteArrayOutputStream();
    try (var out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      session(out);
      arrays(out);
      files(Models.save(model, folder), functions, out);
    }
    String page = Files.readString(ROOT.resolve("docs/howto/custom-operator.md"));
    assertThat(blocks(page, "text")).containsExactly(printed.toString(StandardCharsets.UTF_8).replace("\r", ""));
    String own = Files.readString(ROOT.resolve(
      "runtime/onnx/src/test/java/dev/cairn/runtime/onnx/CustomOperatorPageTest.java"));
    assertThat(blocks(page, "java")).hasSizeGreaterThan(4)
      .filteredOn(block -> !unindented(own).contains(unindented(block
        .replace("System.out", "out"))))
      .isEmpty();
  }

  private static String unindented(String text) {
    return text.replaceAll("(?m)^ +", "");
  }

  @Test
  void theCheckedSessionOfThePageRuns() {
    var graph = new GraphBuilder("squares");
    graph.output("y", graph.apply("my::Square", graph.input("x", TensorType.of(DType.FLOAT32, 2))));
    try (Session session = checked(graph.build());
      Result result = session.run(Map.of("x", Tensor.of(new float[] {3, 4}, 2)))) {
      assertThat(result.get("y").toFloatArray()).containsExactly(9, 16);
    }
  }

  private static ModelProto ownFunction() {
    FunctionProto twice = FunctionProto.newBuilder().setDomain("my").setName("Twice").addInput("a").addOutput("b")
      .addOpsetImport(Models.opset("", 17)).addNode(Models.node("b = Add(a, a)")).build();
    return Models.model(17, new long[] {2}, Models.node("y = Relu(x)")).toBuilder().addFunctions(twice).build();
  }

  private static List<String> blocks(String page, String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page).results().map(it -> it
      .group(1)).toList();
  }

  @Test
  void aFaultOfAKernelSurfacesAsThePageSays() {
    KernelOperator broken = SQUARE.withKernel(call -> {
      throw new IllegalStateException("no luck");
    });
    var graph = new GraphBuilder("broken");
    graph.output("y", graph.apply("my::Square", graph.input("x", TensorType.of(DType.FLOAT32, 2))));
    try (Session session = Session.of(graph.build(), SessionOptions.DEFAULT.withOperators(OperatorRegistry.of(broken)));
      Tensor x = Tensor.of(new float[] {3, 4}, 2)) {
      assertThatThrownBy(() -> session.run(Map.of("x", x))).isInstanceOf(StepFailed.class)
        .hasCauseInstanceOf(IllegalStateException.class);
    }
  }
}
