package dev.cairn.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.custom.CompositeOperator;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators of users in files: their domain, their results, and functions of files as operators. */
class OwnDomainTest {
  private static final KernelOperator HALVES = KernelOperator.of("my::Halves", 1, context -> List.of(context.input(0),
    context.input(0))).withResults(2).withInputs(1, 2);

  @TempDir
  private Path folder;

  static NodeProto own(String text, AttributeProto... attributes) {
    return Models.node(text, attributes).toBuilder().setDomain("my").build();
  }

  private Graph read(OperatorRegistry operators, NodeProto... nodes) {
    return OnnxReader.read(Models.save(Models.model(17, new long[] {2}, nodes), folder), operators.table());
  }

  @Test
  void theDomainIsPartOfTheNameAndAllResultsAreThere() {
    Graph graph = read(OperatorRegistry.of(HALVES), own("h, rest = Halves(x)", Models.integer("way", 3)), Models.node(
      "y = Relu(h)"));
    assertThat(graph).hasToString("""
      x = input float32[2]
      halves_h = my::Halves{way=3}(x) -> 2
      relu_y = Relu(halves_h)
      return y=relu_y
      """);
  }

  @Test
  void anOperatorOfAnotherDomainMayHaveAStandardName() {
    KernelOperator relu = KernelOperator.of("my::Relu", 1, context -> List.of(context.input(0)));
    assertThat(read(OperatorRegistry.of(relu), own("y = Relu(x)")).toString()).contains("relu_y = my::Relu(x)");
  }

  @Test
  void whatIsNotRegisteredOrHasTooManyInputsIsAGap() {
    assertThatThrownBy(() -> read(OperatorRegistry.STANDARD, own("y = Halves(x)"))).isInstanceOfSatisfying(
      UnsupportedOperators.class, it -> assertThat(it.gaps()).extracting(UnsupportedOperators.Gap::operator)
        .containsExactly("my::Halves"));
    assertThatThrownBy(() -> read(OperatorRegistry.of(HALVES), own("y = Halves(x, x, x)"))).isInstanceOf(
      UnsupportedOperators.class).hasMessageContaining("3 inputs, of which 2 are known");
  }

  @Test
  void operatorsThatCairnReadsByItselfAreRefused() {
    KernelOperator gelu = KernelOperator.of("com.microsoft::QuickGelu", 1, context -> List.of(context.input(0)));
    assertThatIllegalArgumentException().isThrownBy(() -> read(OperatorRegistry.of(gelu), Models.node("y = Relu(x)")))
      .withMessageContaining("com.microsoft::QuickGelu");
  }

  @Test
  void theWriterKeepsTheDomain() throws IOException {
    OperatorRegistry operators = OperatorRegistry.of(HALVES);
    Graph graph = read(operators, own("h, rest = Halves(x)"), Models.node("y = Relu(h)"));
    Path file = folder.resolve("written.onnx");
    OnnxWriter.write(graph, List.of(DeclaredType.of(TensorType.of(DType.FLOAT32, 2))), file);
    assertThat(OnnxReader.read(file, operators.table())).hasToString(graph.toString());
  }

  /** ONNX has an operator of this name since opset 23, which an operator of a user does not need. */
  @Test
  void anOperatorWithTheNameOfALaterOneNeedsNoLaterOperatorSet() throws IOException {
    OperatorRegistry operators = OperatorRegistry.of(KernelOperator.of("my::RMSNormalization", 1, context -> List.of(
      context.input(0))));
    Path file = folder.resolve("written.onnx");
    OnnxWriter.write(read(operators, own("y = RMSNormalization(x)")), List.of(DeclaredType.of(TensorType.of(
      DType.FLOAT32, 2))), file);
    assertThat(ModelProto.parseFrom(Files.readAllBytes(file)).getOpsetImportList()).contains(Models.opset("", 22));
  }

  private Path functions(FunctionProto... functions) {
    ModelProto model = Models.model(17, new long[] {2}, Models.node("y = Relu(x)")).toBuilder().addAllFunctions(List.of(
      functions)).build();
    try {
      return Files.write(folder.resolve("functions.onnx"), model.toByteArray());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static FunctionProto.Builder function(String name) {
    return FunctionProto.newBuilder().setDomain("my").setName(name).addInput("a").addInput("b").addOutput("c")
      .addOpsetImport(Models.opset("", 17)).addOpsetImport(Models.opset("my", 1));
  }

  @Test
  void functionsBecomeOperatorsWithAttributesAndOmittedInputs() {
    AttributeProto alpha = AttributeProto.newBuilder().setName("alpha").setRefAttrName("slope").setType(
      AttributeProto.AttributeType.FLOAT).build();
    FunctionProto leaky = function("Leaky").addAttribute("slope").addNode(Models.node("h = LeakyRelu(a)", alpha))
      .addNode(
        Models.node("c = Clip(h, b)"))
      .build();
    FunctionProto outer = function("Outer").addNode(own("h = Leaky(a)", Models.real("slope", 0.5f)))
      .addNode(Models.node(
        "c = Add(h, h)"))
      .build();
    List<CompositeOperator> operators = OnnxFunctions.read(functions(leaky, outer), OperatorRegistry.STANDARD);
    OperatorRegistry registry = OperatorRegistry.STANDARD.with(operators);
    Graph graph = registry.inlined(read(registry, own("y = Outer(x)")));
    assertThat(graph.toString()).contains("LeakyRelu{alpha=0.5}(x)", "Add(").doesNotContain("my::Outer(",
      "my::Leaky(");
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withOperators(registry)); var _ = arrays.scope()) {
      NDArray x = arrays.of(new float[] {-4, 3}, 2);
      assertThat(x.call("my::Outer", Attributes.NONE).toFloatArray()).containsExactly(-4, 6);
      assertThat(x.call("my::Leaky", Attributes.NONE, arrays.of(new float[] {0}, 1).reshape()).toFloatArray())
        .containsExactly(0, 3);
    }
  }

  @Test
  void functionsThatCannotBeOperatorsSaySo() {
    FunctionProto standard = function("Relu").setDomain("").build();
    assertThatIllegalArgumentException().isThrownBy(() -> OnnxFunctions.read(functions(standard),
      OperatorRegistry.STANDARD)).withMessageContaining("domain");
    FunctionProto unknown = function("Odd").addNode(own("c = Missing(a)")).build();
    OperatorRegistry registry = OperatorRegistry.STANDARD.with(OnnxFunctions.read(functions(unknown),
      OperatorRegistry.STANDARD));
    Graph graph = read(registry, own("y = Odd(x)"));
    InvalidGraph invalid = catchThrowableOfType(InvalidGraph.class, () -> registry.inlined(graph));
    assertThat(invalid.node()).startsWith("odd_y");
    assertThat(invalid).hasMessageContaining("my::Missing");
  }
}
