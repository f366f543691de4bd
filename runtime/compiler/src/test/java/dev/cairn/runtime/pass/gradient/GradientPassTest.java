package dev.cairn.runtime.pass.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notation;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.operator.gradient.HostRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules G-1 to G-8, by their names. */
class GradientPassTest {
  private final GraphFixture fixture = new GraphFixture();
  private final NodeEntry x = fixture.input("x", "float32[3]");

  private GradientGraph gradients(GradientOptions options, List<GradientPass.Head> ys, NodeEntry... xs) {
    Graph graph = fixture.graph(ys.stream().map(GradientPass.Head::entry).distinct().toArray(NodeEntry[]::new));
    GraphTypes types = new TypeInference(StandardOperators.table(), ValueEvaluator.NONE).infer(graph, GraphFixture
      .inputTypes(graph));
    return new GradientPass(StandardOperators.table(), options).of(graph, types, ys, List.of(xs));
  }

  private GradientGraph gradients(NodeEntry y, NodeEntry... xs) {
    return gradients(GradientOptions.DEFAULT, List.of(GradientPass.Head.of(y)), xs);
  }

  private static List<Double> values(NodeEntry entry, Map<String, TensorView> inputs) {
    TensorView view = HostRun.of(List.of(entry), inputs).getFirst();
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < view.elementCount(); i++) {
      values.add(view.doubleAt(i));
    }
    return values;
  }

  private static Map<String, TensorView> x(float... values) {
    return Map.of("x", TensorView.ofFloats(Shape.of(values.length), values));
  }

  private static List<String> operators(GradientGraph gradients) {
    return gradients.withOutputs().nodes().stream().filter(it -> it.name().contains("/gradient/")).map(Node::operator)
      .toList();
  }

  @Test
  void g1OnlyWhatIsWantedIsBuilt() {
    NodeEntry w = fixture.input("w", "float32[3]");
    NodeEntry product = fixture.apply("p", "Mul", fixture.apply("t", "Tanh", x), w);
    fixture.apply("unused", "Exp", x);
    GradientGraph gradients = gradients(product, w);
    assertThat(gradients.withOutputs().toString()).isEqualTo("""
      x = input float32[3]
      w = input float32[3]
      t = Tanh(x)
      p = Mul(t, w)
      p/gradient/constant = constant int64[1]
      p/gradient/ConstantOfShape = ConstantOfShape{value=float32[1]}(p/gradient/constant)
      p/gradient/Mul = Mul(p/gradient/ConstantOfShape, t)
      return p=p, w/gradient=p/gradient/Mul
      """);
  }

  @Test
  void g2AnXThatIsAYHasTheHeadItself() {
    NodeEntry head = fixture.input("h", "float32[3]");
    GradientGraph gradients = gradients(GradientOptions.DEFAULT, List.of(GradientPass.Head.of(x, head)), x);
    assertThat(gradients.gradients()).containsExactly(head);
  }

  @Test
  void g2HeadsOfOneEntryAddUp() {
    NodeEntry first = fixture.input("h", "float32[3]");
    NodeEntry second = fixture.input("i", "float32[3]");
    NodeEntry y = fixture.apply("y", "Neg", x);
    GradientGraph gradients = gradients(GradientOptions.DEFAULT,
      List.of(GradientPass.Head.of(y, first), GradientPass.Head
        .of(y, second)),
      x);
    assertThat(values(gradients.gradients().getFirst(), Map.of("h", TensorView.ofFloats(Shape.of(3), 1, 2, 3), "i",
      TensorView.ofFloats(Shape.of(3), 10, 20, 30)))).containsExactly(-11.0, -22.0, -33.0);
  }

  @Test
  void g2AYInsideAddsToWhatFlowsThroughIt() {
    NodeEntry y = fixture.apply("y", "Exp", x);
    NodeEntry z = fixture.apply("z", "Neg", y);
    GradientGraph gradients = gradients(GradientOptions.DEFAULT, List.of(GradientPass.Head.of(z), GradientPass.Head.of(
      y)), y, x);
    assertThat(values(gradients.gradients().getFirst(), x(0, 0, 0))).containsOnly(0.0);
    assertThat(operators(gradients)).containsExactly("constant", "ConstantOfShape", "ConstantOfShape", "Neg", "Add",
      "Mul");
  }

  @Test
  void g3AnXBehindStepsHasZerosAndOneThatIsUnreachedIsRefused() {
    NodeEntry w = fixture.input("w", "float32[3]");
    NodeEntry y = fixture.apply("y", "Floor", x);
    assertThat(values(gradients(y, x).gradients().getFirst(), x(1, 2, 3))).containsExactly(0.0, 0.0, 0.0);
    assertThatIllegalArgumentException().isThrownBy(() -> gradients(y, x, w)).withMessageContaining("entries=[w]");
  }

  /** The rule gives a step function a gradient, too, though Cairn's rule gives it none. */
  @Test
  void g5ARuleOfTheOptionsTakesThePlaceOfCairnsOwn() {
    NodeEntry y = fixture.apply("y", "Floor", x);
    var straight = GradientOptions.DEFAULT.withRule("Floor", g -> g.give(0, g.head().mul(3)));
    assertThat(values(gradients(straight, List.of(GradientPass.Head.of(y)), x).gradients().getFirst(), x(1, 2, 3)))
      .containsOnly(3.0);
  }

  @Test
  void g3NodesWithoutHeadsArePassedOver() {
    List<NodeEntry> parts = fixture.applyForAll("s", "Split{axis=0, num_outputs=3}", 3, x);
    NodeEntry branch = fixture.apply("b", "Exp", fixture.apply("f", "Floor", parts.get(1)));
    NodeEntry y = fixture.apply("y", "Add", fixture.apply("n", "Neg", parts.get(0)), branch);
    assertThat(values(gradients(y, x).gradients().getFirst(), x(1, 2, 3))).containsExactly(-1.0, 0.0, 0.0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
  void g4TermsAreAddedInTheirOrderOnce(int count) {
    NodeEntry[] reads = new NodeEntry[count];
    Arrays.fill(reads, x);
    NodeEntry y = fixture.apply("y", "Sum", reads);
    GradientGraph chain = gradients(y, x);
    assertThat(values(chain.gradients().getFirst(), x(1, 2, 3))).containsOnly((double) count);
    assertThat(operators(chain).stream().filter("Add"::equals)).hasSize(count - 1);
    GradientGraph nnvm = gradients(GradientOptions.DEFAULT.withAggregation(Aggregation.NNVM), List.of(GradientPass.Head
      .of(y)), x);
    assertThat(values(nnvm.gradients().getFirst(), x(1, 2, 3))).containsOnly((double) count);
    assertThat(operators(nnvm).stream().filter("Sum"::equals)).hasSize(count > 1 && count < 8 ? 1 : 0);
  }

  @Test
  void g5AllOperatorsWithoutGradientAreNamedAtOnce() {
    NodeEntry square = fixture.input("m", "float32[1x2x2]");
    NodeEntry first = fixture.apply("first", "DFT", square);
    NodeEntry second = fixture.apply("second", "DFT", fixture.apply("e", "Exp", square));
    NodeEntry y = fixture.apply("y", "Add", first, second);
    assertThatThrownBy(() -> gradients(y, square)).isInstanceOfSatisfying(UnsupportedOperators.class,
      it -> assertThat(it.gaps()).extracting(Gap::node, Gap::operator).containsExactlyInAnyOrder(tuple("first", "DFT"),
        tuple("second", "DFT")));
    NodeEntry z = fixture.apply("z", "Mul", fixture.apply("f", "Floor", first), fixture.apply("l", "Neg", square));
    assertThat(gradients(z, square).gradients()).hasSize(1);
  }

  @Test
  void g6OnlyFloatsHaveGradients() {
    NodeEntry indexes = fixture.input("i", "int64[3]");
    NodeEntry y = fixture.apply("y", "Cast{to=\"float32\"}", indexes);
    assertThatIllegalArgumentException().isThrownBy(() -> gradients(y, indexes)).withMessageContaining(
      "only floats have gradients: entry=i type=int64[3]");
  }

  @Test
  void g6LongSumsOfHalvesAreAccumulatedInFloat32() {
    NodeEntry half = fixture.input("half", "float16[1]");
    NodeEntry[] reads = {half, half, half, half, half};
    assertThat(operators(gradients(fixture.apply("y", "Sum", reads), half))).filteredOn("Cast"::equals).hasSize(6);
    assertThat(operators(gradients(fixture.apply("z", "Sum", half, half, half, half), half))).doesNotContain("Cast");
  }

  @Test
  void g7RequestsWriteOrAddOnce() {
    NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(3), 1, 2, 3));
    NodeEntry y = fixture.apply("y", "Sum", w, w, w, w, w, x);
    GradientGraph gradients = gradients(y, w, x);
    Graph added = gradients.assigned(List.of(GradientRequest.ADD, GradientRequest.NONE));
    assertThat(added.assigns()).hasSize(1);
    Node assign = added.assigns().getFirst();
    TensorView before = TensorView.ofFloats(Shape.of(3), 10, 20, 30);
    Map<String, TensorView> inputs = Map.of("x", before, "w/gradient", before);
    assertThat(values(assign.entry(), inputs)).containsExactly(15.0, 25.0, 35.0);
    Graph written = gradients.assigned(List.of(GradientRequest.WRITE, GradientRequest.WRITE));
    assertThat(written.assigns()).hasSize(2);
    assertThat(values(written.assigns().getFirst().entry(), inputs)).containsOnly(5.0);
  }

  @Test
  void anAssignPassesItsGradientToTheNewValue() {
    NodeEntry state = fixture.variable("s", HeapTensor.allocate(Notation.type("float32[3]")));
    NodeEntry assign = fixture.assign("s/assign", state, fixture.apply("e", "Exp", x));
    NodeEntry y = fixture.apply("y", "Neg", assign);
    assertThat(values(gradients(y, x).gradients().getFirst(), x(0, 0, 0))).containsOnly(-1.0);
  }

  @Test
  void aHeadHasTheTypeOfItsEntry() {
    NodeEntry head = fixture.input("h", "float32[1]");
    assertThatIllegalArgumentException().isThrownBy(() -> gradients(GradientOptions.DEFAULT, List.of(GradientPass.Head
      .of(x, head)), x)).withMessageContaining("head=float32[1]");
  }

  @Test
  void g8NothingIsBuiltBehindStopGradient() {
    NodeEntry w = fixture.input("w", "float32[3]");
    NodeEntry behind = fixture.apply("b", "Tanh", x);
    NodeEntry stopped = fixture.apply("s", "StopGradient", behind);
    NodeEntry y = fixture.apply("y", "Mul", stopped, w);
    assertThat(operators(gradients(y, w))).containsExactly("constant", "ConstantOfShape", "Mul");
    GradientGraph both = gradients(y, w, x);
    assertThat(values(both.gradients().getLast(), x(1, 2, 3))).containsOnly(0.0);
    assertThat(operators(both)).containsExactly("constant", "ConstantOfShape", "Mul", "ConstantOfShape");
  }

  /** The graph has so many nodes that recursion would overflow the stack. */
  @Test
  void g11LongChainsNeedNoRecursion() {
    int length = 20_000;
    GradientGraph gradients = gradients(fixture.chain("n", "Neg", length, 1, x), x);
    assertThat(gradients.withOutputs().nodes()).hasSize(2 * length + 3);
    assertThat(values(gradients.gradients().getFirst(), x(1, 2, 3))).containsOnly(1.0);
  }
}
