package dev.cairn.runtime.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InputBindingTest {
  @Test
  void fixedInputsNeedNoShapes() {
    assertBound(graph("float32[2x3]", "int64[scalar]"), Map.of(), "float32[2x3]", "int64[scalar]");
  }

  @Test
  void aSymbolBoundByOneInputHoldsForTheOthers() {
    Graph graph = graph("int64[batchxseq]", "float32[batchx1xseqx7]", "bool[seq]");
    assertBound(graph, Map.of("in0", Shape.of(4, 9)), "int64[4x9]", "float32[4x1x9x7]", "bool[9]");
    assertBound(graph, Map.of("in1", Shape.of(4, 1, 9, 7)), "int64[4x9]", "float32[4x1x9x7]", "bool[9]");
  }

  @Test
  void batchZeroIsAnExtentLikeAnyOther() {
    assertBound(graph("float32[batchx3]"), Map.of("in0", Shape.of(0, 3)), "float32[0x3]");
  }

  @Test
  void aSymbolMayNameTwoAxesOfDifferentExtents() {
    Graph graph = graph("float32[nxn]");
    assertBound(graph, Map.of("in0", Shape.of(5, 5)), "float32[5x5]");
    assertBound(graph, Map.of("in0", Shape.of(5, 6)), "float32[5x6]");
  }

  @Test
  void namelessSymbolsStandForThemselves() {
    Graph graph = graph("float32[?x3]", "float32[?x3]");
    assertBound(graph, Map.of("in0", Shape.of(5, 3), "in1", Shape.of(6, 3)), "float32[5x3]", "float32[6x3]");
    assertThatThrownBy(() -> InputBinding.ofShapes(graph, Map.of("in0", Shape.of(5, 3))))
      .hasMessage("dimensions are open: in1=float32[?x3]; give each a shape");
  }

  @Test
  void openElementTypesAndRanksAreBoundByTensors() {
    Graph graph = graph("?[2xn]", "float32[...]", "?", "int64[n]");
    assertThat(graph).asString().startsWith("in0 = input ?[2 x n]\nin1 = input float32[...]\nin2 = input ?\n");
    assertThat(InputBinding.isOpen(graph)).isTrue();
    Map<String, TensorType> types = types("int8[2x5]", "float32[1x1x1]", "bool[scalar]", "int64[5]");
    assertThat(InputBinding.ofTypes(graph, types)).isEqualTo(types);
    assertThatThrownBy(() -> InputBinding.ofTypes(graph, types("int8[3x5]", "float32[1]", "bool[1]", "int64[5]")))
      .hasMessage("an input does not match its declared type: input=in0 declared=?[2 x n] given=int8[3x5]");
    assertThatThrownBy(() -> InputBinding.ofTypes(graph, types("int8[2x5]", "int8[1]", "bool[1]", "int64[5]")))
      .hasMessage("an input does not match its declared type: input=in1 declared=float32[...] given=int8[1]");
    Map<String, TensorType> others = types("int8[2x5]", "float32[1]", "bool[1]", "int64[6]");
    assertThat(InputBinding.ofTypes(graph, others)).as("two dimensions have one name").isEqualTo(others);
    assertThatThrownBy(() -> InputBinding.ofShapes(graph, Map.of())).isInstanceOf(IllegalArgumentException.class)
      .hasMessageStartingWith("types are open: in0=?[2 x n] in1=float32[...] in2=? in3=int64[n]; give each input a");
    assertThatThrownBy(() -> InputBinding.ofShapes(graph, Map.of("in0", Shape.of(2, 5))))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("element type is open");
    assertThatThrownBy(() -> InputBinding.ofExtent(graph, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(InputBinding.isOpen(graph("float32[n]"))).isFalse();
  }

  private static Map<String, TensorType> types(String... texts) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    for (int i = 0; i < texts.length; i++) {
      types.put("in" + i, Notation.type(texts[i]));
    }
    return types;
  }

  @Test
  void openSymbolsAreListedTogetherWithTheRemedy() {
    Graph graph = graph("int64[batchxseq]", "float32[batchx3x224]", "float32[4]", "float32[other]");
    assertThatThrownBy(() -> InputBinding.ofShapes(graph, Map.of("in0", Shape.of(2, 9))))
      .isInstanceOf(IllegalArgumentException.class).hasMessage(
        "dimensions are open: in3=float32[other]; give each a shape");
    assertThatThrownBy(() -> InputBinding.ofShapes(graph, Map.of())).hasMessage(
      "dimensions are open: in0=int64[batch x seq] in1=float32[batch x 3 x 224] in3=float32[other]; "
        + "give each a shape");
  }

  @Test
  void aSymbolMayNameAxesOfDifferentExtentsInTwoInputs() {
    Graph graph = graph("int64[batchxseq]", "float32[batchx3]", "float32[batch]");
    assertBound(graph, Map.of("in0", Shape.of(4, 9), "in1", Shape.of(5, 3)), "int64[4x9]", "float32[5x3]",
      "float32[4]");
  }

  @Test
  void shapesThatTheModelDoesNotAdmitAreRefused() {
    Graph graph = graph("float32[batchx3]");
    for (Shape bad : List.of(Shape.of(2, 4), Shape.of(3), Shape.of(2, 3, 1), Shape.SCALAR)) {
      assertThatThrownBy(() -> InputBinding.ofShapes(graph, Map.of("in0", bad)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("input=in0 declared=float32[batch x 3] given=float32[" + bad + "]");
    }
  }

  /** Some exporters write no dimensions for unknown ones. */
  @Test
  void aScalarMayHaveTheShapeOfItsValues() {
    Graph graph = graph("float32[scalar]", "int64[batch]");
    assertBound(graph, Map.of("in0", Shape.of(2, 3), "in1", Shape.of(4)), "float32[2x3]", "int64[4]");
    assertThatThrownBy(
      () -> InputBinding.ofTypes(graph, Map.of("in0", Notation.type("float64[2]"), "in1", Notation.type(
        "int64[4]"))))
      .hasMessageContaining("input=in0 declared=float32[scalar] given=float64[2]");
  }

  @Test
  void namesThatAreNoInputsAreRefused() {
    assertThatThrownBy(() -> InputBinding.ofShapes(graph("float32[2]"), Map.of("x", Shape.of(2))))
      .isInstanceOf(IllegalArgumentException.class).hasMessage("no such input: input=x inputs=[in0]");
  }

  @Test
  void actualTypesAreCheckedAndPutInOrder() {
    Graph graph = graph("float32[batchx3]", "int64[batch]");
    Map<String, TensorType> given = new LinkedHashMap<>();
    given.put("in1", Notation.type("int64[2]"));
    given.put("in0", Notation.type("float32[2x3]"));
    assertThat(InputBinding.ofTypes(graph, given)).containsExactly(
      Map.entry("in0", Notation.type("float32[2x3]")), Map.entry("in1", Notation.type("int64[2]")));
    given.put("in1", Notation.type("int32[2]"));
    assertThatThrownBy(() -> InputBinding.ofTypes(graph, given))
      .hasMessage("an input does not match its declared type: input=in1 declared=int64[batch] given=int32[2]");
    given.put("in1", Notation.type("int64[7]"));
    assertThat(InputBinding.ofTypes(graph, given)).isEqualTo(given);
    given.remove("in1");
    assertThatThrownBy(() -> InputBinding.ofTypes(graph, given))
      .hasMessage("an input is missing: input=in1 declared=int64[batch]");
  }

  private static Graph graph(String... declared) {
    var fixture = new GraphFixture();
    for (int i = 0; i < declared.length; i++) {
      fixture.input("in" + i, declared[i]);
    }
    NodeEntry any = fixture.longs("any", 1);
    return fixture.graph(any);
  }

  private static void assertBound(Graph graph, Map<String, Shape> shapes, String... types) {
    Map<String, TensorType> bound = InputBinding.ofShapes(graph, shapes);
    assertThat(bound.values().stream().map(TensorType::toString)).containsExactly(types);
    assertThat(bound.keySet()).containsExactlyElementsOf(graph.inputs().stream().map(node -> node.name()).toList());
    assertThat(InputBinding.ofTypes(graph, bound)).isEqualTo(bound);
  }
}
