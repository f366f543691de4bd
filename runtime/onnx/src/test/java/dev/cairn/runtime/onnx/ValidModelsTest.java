package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.OptionalInputs;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.TensorShapeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models that ONNX Runtime runs, though a type in them is open, contradicted by values, or needed by no run. */
class ValidModelsTest {
  @TempDir
  private Path folder;

  private Graph read(ModelProto.Builder model) {
    return OnnxReader.read(Models.save(model.build(), folder), StandardOperators.table());
  }

  private static Tensor floats(long[] shape, float... values) {
    return Tensor.of(values, shape);
  }

  private static AttributeProto body(String name, NodeProto... nodes) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.GRAPH).setG(GraphProto
      .newBuilder().setName(name).addOutput(ValueInfoProto.newBuilder().setName("b"))
      .addInitializer(Models.longs("first",
        0))
      .addAllNode(List.of(nodes))).build();
  }

  /** The branch that is not taken drops an axis that has not one element. */
  @Test
  void aBranchThatIsInvalidFailsOnlyWhenItIsTaken() {
    ModelProto.Builder model = Models.model(13, new long[] {2, 3}, node("y = If(c)", body("then_branch", node(
      "b = Squeeze(x, first)")), body("else_branch", node("b = Neg(x)")))).toBuilder();
    model.getGraphBuilder().addInput(Models.value("c", DType.BOOL));
    Tensor x = floats(new long[] {2, 3}, 1, 2, 3, 4, 5, 6);
    try (Session session = Session.of(read(model), SessionOptions.DEFAULT)) {
      try (var result = session.run(Map.of("x", x, "c", Tensor.of(new boolean[] {false})))) {
        assertThat(result.get("y").toFloatArray()).containsExactly(-1, -2, -3, -4, -5, -6);
      }
      assertThatThrownBy(() -> session.run(Map.of("x", x, "c", Tensor.of(new boolean[] {true}))).close())
        .hasMessageContaining("Squeeze");
    }
  }

  @Test
  void oneNameOfTwoExtentsIsTwoDimensions() {
    ModelProto.Builder model = Models.model(13, new long[] {2, 3}, node("y = Neg(x)")).toBuilder();
    TensorShapeProto.Builder shape = model.getGraphBuilder().getInputBuilder(0).getTypeBuilder().getTensorTypeBuilder()
      .getShapeBuilder();
    shape.getDimBuilder(0).setDimParam("batch");
    shape.getDimBuilder(1).setDimParam("batch");
    try (Session session = Session.of(read(model), SessionOptions.DEFAULT);
      var result = session.run(Map.of("x", floats(
        new long[] {1, 2}, 1, 2)))) {
      assertThat(result.get("y").toFloatArray()).containsExactly(-1, -2);
    }
  }

  @Test
  void anInputWithoutAShapeHasThatOfItsValues() {
    ModelProto.Builder model = Models.model(13, new long[] {2, 3}, node("y = Neg(x)")).toBuilder();
    model.getGraphBuilder().getInputBuilder(0).getTypeBuilder().getTensorTypeBuilder().clearShape();
    try (Session session = Session.of(read(model), SessionOptions.DEFAULT)) {
      for (long[] shape : new long[][] {{2}, {1, 2}, {2, 1, 1}}) {
        try (var result = session.run(Map.of("x", floats(shape, 1, 2)))) {
          assertThat(result.get("y").shape()).isEqualTo(Shape.of(shape));
          assertThat(result.get("y").toFloatArray()).containsExactly(-1, -2);
        }
      }
    }
  }

  @Test
  void anInitializerThatIsAnInputMayHaveAnotherValue() {
    ModelProto.Builder model = Models.model(13, new long[] {2}, node("y = Mul(x, w)")).toBuilder();
    model.getGraphBuilder().addInput(Models.value("w", DType.FLOAT32, 2)).addInitializer(Models.floats("w", 10, 100));
    Tensor x = floats(new long[] {2}, 1, 2);
    assertThat(OptionalInputs.names(read(model))).containsExactly("w");
    try (Session session = Session.of(read(model), SessionOptions.DEFAULT); var result = session.run(Map.of("x", x))) {
      assertThat(result.get("y").toFloatArray()).containsExactly(10, 200);
    }
    try (Session session = Session.of(OptionalInputs.given(read(model), Set.of("w")), SessionOptions.DEFAULT);
      var result = session.run(Map.of("x", x, "w", floats(new long[] {2}, 3, 4)))) {
      assertThat(result.get("y").toFloatArray()).containsExactly(3, 8);
    }
    assertThat(OptionalInputs.names(read(model.setIrVersion(3)))).isEmpty();
  }

  @Test
  void featuresOfOneAxisAreARow() {
    ModelProto.Builder model = Models
      .model(13, new long[] {4}, node("y = ArrayFeatureExtractor(x, columns)").toBuilder()
        .setDomain("ai.onnx.ml").build())
      .toBuilder();
    model.addOpsetImport(Models.opset("ai.onnx.ml", 1)).getGraphBuilder().addInitializer(Models.longs("columns", 3, 0));
    try (Session session = Session.of(read(model), SessionOptions.DEFAULT);
      var result = session.run(Map.of("x", floats(
        new long[] {4}, 1, 2, 3, 4)))) {
      assertThat(result.get("y").shape()).isEqualTo(Shape.of(1, 2));
      assertThat(result.get("y").toFloatArray()).containsExactly(4, 1);
    }
  }

  /** Contracted by pairs, as by one loop over all indexes. */
  @ParameterizedTest
  @ValueSource(strings = {"ab,bc,cd->ad", "ab,bc,cd->db", "ab,bc,ca->", "aa,ab,bc->c", "...ab,...bc,cd->...ad",
    "ab,ab,ab->ab", "ab,cd,ef->abcdef", "ab,bc,cd,de->ea", "ab,ab->a", "ab,cb->", "ab,bc,cd"})
  void sumsOfProductsInAnyOrder(String equation) {
    String[] terms = equation.split("->", -1)[0].split(",", -1);
    ModelProto.Builder model = Models.model(13, new long[] {3, 3}, node("y = Einsum(" + "x, ".repeat(terms.length - 1)
      + "x)", Models.text("equation", equation))).toBuilder();
    Map<String, Tensor> x = Map.of("x", floats(new long[] {3, 3}, 1, -2, 3, 0.5f, 4, -1, 2, 5, -3));
    Graph graph = read(model);
    try (Session contracted = Session.of(graph, SessionOptions.DEFAULT);
      Session plain = Session.of(graph,
        SessionOptions.DEFAULT.withCompile(CompileOptions.DEFAULT.withSimplify(false)));
      var one = contracted.run(x);
      var other = plain.run(x)) {
      assertThat(one.get("y").shape()).isEqualTo(other.get("y").shape());
      assertThat(one.get("y").toFloatArray()).containsExactly(other.get("y").toFloatArray(),
        Offset.offset(1e-2f));
    }
  }

  @Test
  void attentionWrittenWithEinsumIsOneStep() {
    ModelProto.Builder model = Models.model(13, new long[] {1, 4, 8, 16},
      node("s = Einsum(x, x)", Models.text("equation",
        "bhqd,bhkd->bhqk")),
      node("p = Softmax(s)"), node("y = Einsum(p, x)", Models.text("equation",
        "bhqk,bhkd->bhqd")))
      .toBuilder();
    try (Session session = Session.of(read(model), SessionOptions.DEFAULT)) {
      assertThat(session.compiled().orElseThrow().storage().steps()).extracting(Node::operator).containsExactly(
        "Attention");
    }
  }
}
