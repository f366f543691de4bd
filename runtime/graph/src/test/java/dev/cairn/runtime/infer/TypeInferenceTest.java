package dev.cairn.runtime.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TypeInferenceTest {
  private final GraphFixture fixture = new GraphFixture();
  private final HostArithmetic arithmetic = new HostArithmetic();
  private final TypeInference inference = new TypeInference(StandardOperators.table(), arithmetic);

  @Test
  void everyEntryGetsItsType() {
    NodeEntry x = fixture.input("x", "float32[2x6]");
    NodeEntry w = fixture.constant("w", TensorView.ofFloats(Shape.of(6, 4), new float[24]));
    NodeEntry y = fixture.apply("y", "MatMul", x, w);
    List<NodeEntry> parts = fixture.applyForAll("parts", "Split{axis=1, num_outputs=3}", 3, y);
    Graph graph = fixture.graph(parts.get(2), parts.get(0));
    assertThat(typesOf(graph)).isEqualTo("""
      x float32[2x6]
      w float32[6x4]
      y float32[2x4]
      parts float32[2x2]
      parts:1 float32[2x2]
      parts:2 float32[2x0]
      """);
  }

  /** How PyTorch exports {@code x.view(x.size(0), -1, heads, x.size(2) / heads)}. */
  @Test
  void anExportersShapeChainBecomesAReshapeWithAKnownShape() {
    NodeEntry x = fixture.input("x", "float32[3x5x12]");
    NodeEntry shape = fixture.apply("shape", "Shape", x);
    NodeEntry batch = fixture.apply("batch", "Gather", shape, scalar("zero", 0));
    NodeEntry width = fixture.apply("width", "Gather", shape, scalar("two", 2));
    NodeEntry perHead = fixture.apply("perHead", "Div", width, scalar("heads", 4));
    NodeEntry target = fixture.apply("target", "Concat{axis=0}", list("b", batch), fixture.longs("rest", -1),
      fixture.longs("h", 4), list("p", perHead));
    NodeEntry y = fixture.apply("y", "Reshape", x, target);
    Graph graph = fixture.graph(y);
    GraphTypes types = inference.infer(graph, GraphFixture.inputTypes(graph));
    assertThat(types.value(target).orElseThrow().toLongArray()).containsExactly(3, -1, 4, 3);
    assertThat(types.type(y)).isEqualTo(TensorType.of(DType.FLOAT32, 3, 5, 4, 3));
    assertThat(types.value(y)).isEmpty();
    assertThat(arithmetic.asked).containsExactly("batch", "width", "perHead", "target");
  }

  @Test
  void withoutAnEvaluatorTheChainIsRefusedAtTheNodeThatNeedsIt() {
    NodeEntry x = fixture.input("x", "float32[3x4]");
    NodeEntry shape = fixture.apply("shape", "Shape", x);
    NodeEntry part = fixture.apply("part", "Gather", shape, fixture.longs("zero", 0));
    Graph graph = fixture.graph(fixture.apply("y", "Expand", x, part));
    var blind = new TypeInference(StandardOperators.table(), ValueEvaluator.NONE);
    assertThatThrownBy(() -> blind.infer(graph, GraphFixture.inputTypes(graph))).isInstanceOfSatisfying(
      ValueDependentShape.class, it -> {
        assertThat(it.node()).isEqualTo("y");
        assertThat(it.input()).isEqualTo(1);
      });
  }

  @Test
  void theValueOfAShapeFollowsFromTypesAlone() {
    NodeEntry x = fixture.input("x", "float32[3x4x5]");
    NodeEntry relu = fixture.apply("relu", "Relu", x);
    NodeEntry shape = fixture.apply("shape", "Shape{start=-2}", relu);
    NodeEntry size = fixture.apply("size", "Size", relu);
    Graph graph = fixture.graph(shape, size);
    GraphTypes types = inference.infer(graph, GraphFixture.inputTypes(graph));
    assertThat(types.value(shape).orElseThrow().toLongArray()).containsExactly(4, 5);
    assertThat(types.value(size).orElseThrow().longAt(0)).isEqualTo(60);
    assertThat(arithmetic.asked).isEmpty();
  }

  @Test
  void aKnownValueUnderAnotherShapeKeepsItsBytesHoweverLarge() {
    TensorView floats = TensorView.ofFloats(Shape.of(2_000), new float[2_000]);
    NodeEntry large = fixture.constant("large", floats);
    NodeEntry y = fixture.apply("y", "Reshape", large, fixture.longs("to", 50, -1));
    NodeEntry z = fixture.apply("z", "Identity", y);
    Graph graph = fixture.graph(z);
    TensorView value = inference.infer(graph, Map.of()).value(z).orElseThrow();
    assertThat(value.shape()).isEqualTo(Shape.of(50, 40));
    assertThat(value.segment()).isEqualTo(floats.segment());
    assertThat(arithmetic.asked).isEmpty();
  }

  @Test
  void aVariableHasATypeAndNoValueAndKeepsItsType() {
    NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(2), 1, 2));
    NodeEntry c = fixture.constant("c", TensorView.ofFloats(Shape.of(2), 3, 4));
    NodeEntry a = fixture.assign("a", w, c);
    NodeEntry y = fixture.apply("y", "Neg", w);
    GraphTypes types = inference.infer(fixture.graph(y), Map.of());
    assertThat(types.type(a)).isEqualTo(types.type(w)).isEqualTo(TensorType.of(DType.FLOAT32, 2));
    assertThat(types.value(y)).isEmpty();
    fixture.assign("b", a, fixture.longs("l", 1, 2));
    assertThatThrownBy(() -> inference.infer(fixture.graph(y), Map.of())).isInstanceOfSatisfying(
      InvalidGraph.class, it -> assertThat(it.node()).isEqualTo("b")).hasMessageContaining(
        "variable=float32[2] value=int64[2]");
  }

  @Test
  void valuesOfMoreElementsThanTheLimitAreNotComputed() {
    NodeEntry ones = fixture.longs("ones", new long[1_024]);
    NodeEntry fits = fixture.apply("fits", "Mul", ones, ones);
    NodeEntry more = fixture.apply("more", "Concat{axis=0}", fits, fixture.longs("one", 1));
    NodeEntry after = fixture.apply("after", "Neg", more);
    Graph graph = fixture.graph(after);
    GraphTypes types = inference.infer(graph, Map.of());
    assertThat(types.value(fits)).isPresent();
    assertThat(types.value(more)).isEmpty();
    assertThat(types.value(after)).isEmpty();
    assertThat(types.type(after)).isEqualTo(TensorType.of(DType.INT64, 1_025));
    assertThat(arithmetic.asked).containsExactly("fits");
  }

  @Test
  void anEvaluatorsComplaintNamesTheNode() {
    NodeEntry y = fixture.apply("y", "Div", fixture.longs("a", 7, 1), fixture.longs("b", 2, 0));
    NodeEntry g = fixture.apply("g", "Gather", fixture.longs("c", 7, 1), fixture.longs("d", 2));
    assertThatThrownBy(() -> inference.infer(fixture.graph(y), Map.of())).isInstanceOfSatisfying(
      InvalidGraph.class, it -> assertThat(it.node()).isEqualTo("y")).hasMessageStartingWith("Div(int64[2], int64[2])")
      .hasCauseInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> inference.infer(fixture.graph(g), Map.of())).isInstanceOfSatisfying(
      InvalidGraph.class, it -> assertThat(it.node()).isEqualTo("g")).hasMessageContaining(
        "Gather(int64[2], int64[1]): ");
  }

  @Test
  void anEvaluatorThatGivesOtherTypesIsOurOwnFault() {
    NodeEntry y = fixture.apply("y", "Neg", fixture.longs("a", 7, 1));
    var wrong = new TypeInference(StandardOperators.table(),
      (node, inputs, outputs) -> Optional.of(List.of(TensorView.ofLongs(1, 2, 3))));
    assertThatThrownBy(() -> wrong.infer(fixture.graph(y), Map.of())).isInstanceOf(AssertionError.class);
  }

  @Test
  void anAbsentInputIsGivenToTheEvaluatorAsEmpty() {
    NodeEntry y = fixture.apply("y", "Clip", fixture.longs("a", 7, 1), Node.absent(),
      fixture.constant("m", TensorView.ofLong(5)));
    var seen = new TypeInference(StandardOperators.table(), (node, inputs, outputs) -> {
      assertThat(inputs).hasSize(3);
      assertThat(inputs.get(1)).isEmpty();
      return Optional.of(List.of(TensorView.ofLongs(5, 1)));
    });
    assertThat(seen.infer(fixture.graph(y), Map.of()).value(y).orElseThrow().toLongArray()).containsExactly(5, 1);
  }

  @Test
  void aDeepChainIsInferred() {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry last = fixture.chain("n", "Add", 100_000, 2, x);
    Graph graph = fixture.graph(last);
    assertThat(inference.infer(graph, GraphFixture.inputTypes(graph)).type(last).toString()).isEqualTo("float32[2]");
  }

  @Test
  void aDeepChainOfValuesIsComputed() {
    NodeEntry last = fixture.chain("n", "Mul", 100_000, 2, fixture.longs("one", 1, 0));
    assertThat(inference.infer(fixture.graph(last), Map.of()).value(last).orElseThrow().toLongArray())
      .containsExactly(1, 0);
    assertThat(arithmetic.asked).hasSize(100_000);
  }

  @Test
  void anUnknownOperatorIsRefused() {
    NodeEntry y = fixture.apply("y", "Frobnicate", fixture.longs("a", 1));
    assertThatThrownBy(() -> inference.infer(fixture.graph(y), Map.of())).isInstanceOfSatisfying(
      InvalidGraph.class, it -> assertThat(it.node()).isEqualTo("y")).hasMessageContaining("operator=Frobnicate");
  }

  @Test
  void inputTypesMustBeThoseThatAreDeclared() {
    Graph graph = fixture.graph(fixture.input("x", "float32[batchx3]"));
    assertThatThrownBy(() -> inference.infer(graph, Map.of())).isInstanceOf(IllegalArgumentException.class)
      .hasMessage("no type is given for an input: input=x declared=float32[batch x 3]");
    for (TensorType bad : List.of(TensorType.of(DType.FLOAT32, 3, 4), TensorType.of(DType.FLOAT64, 1, 3))) {
      assertThatThrownBy(() -> inference.infer(graph, Map.of("x", bad))).isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an input does not match its declared type: input=x declared=float32[batch x 3] given=" + bad);
    }
    TensorType good = TensorType.of(DType.FLOAT32, 7, 3);
    assertThatThrownBy(() -> inference.infer(graph, Map.of("x", good, "z", good)))
      .hasMessage("no such input: input=z inputs=[x]");
    assertThat(inference.infer(graph, Map.of("x", good)).type(graph.outputs().get(0).entry())).isEqualTo(good);
  }

  private NodeEntry scalar(String name, long value) {
    return fixture.constant(name, TensorView.ofLong(value));
  }

  private NodeEntry list(String name, NodeEntry scalar) {
    return fixture.apply(name, "Unsqueeze", scalar, fixture.longs(name + "Axes", 0));
  }

  private String typesOf(Graph graph) {
    GraphTypes types = inference.infer(graph, GraphFixture.inputTypes(graph));
    var text = new StringBuilder();
    for (Node node : graph.nodes()) {
      for (int i = 0; i < node.kind().outputs(); i++) {
        text.append(node.entry(i)).append(' ').append(types.type(node.entry(i))).append('\n');
      }
    }
    return text.toString();
  }
}
