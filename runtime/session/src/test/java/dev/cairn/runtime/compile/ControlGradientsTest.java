package dev.cairn.runtime.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** G-10: branches have gradients, and loops that are the same in every run; other loops are refused by name. */
class ControlGradientsTest {
  private final GraphFixture fixture = new GraphFixture();

  private static NodeEntry gradient(NodeEntry y, NodeEntry x) {
    return Node.apply("g", "Gradient", Attributes.NONE, List.of(y, x)).entry();
  }

  /** A scan that multiplies a sum by each slice, from the first: {@code ((first·x0)·x1)·x2}. */
  @Test
  void aLoopOfFixedTripsHasTheGradientOfItsTrips() {
    NodeEntry x = fixture.input("x", "float32[3]");
    NodeEntry first = fixture.input("first", "float32[scalar]");
    var body = new ControlFixture("scan/body");
    body.parameter("trip");
    NodeEntry condition = body.parameter("condition");
    NodeEntry product = body.apply("mul", "Mul", body.parameter("product"), body.parameter("slice"));
    var kind = new NodeKind.Repeat(body.body(condition, product), 1, List.of(new NodeKind.Repeat.Slices(0, false)), List
      .of());
    Node scan = Node.control("scan", kind, List.of(fixture.constant("most", TensorView.ofLong(3)), Node.absent(), first,
      x));
    Graph graph = fixture.graph(gradient(scan.entry(), x));
    try (Session session = Session.of(graph, SessionOptions.DEFAULT);
      Tensor given = Tensor.of(new float[] {2, 3, 5}, 3);
      Tensor start = Tensor.of(new float[] {7});
      Result result = session.run(Map.of("x", given, "first", start))) {
      assertThat(result.get(result.names().iterator().next()).toFloatArray()).containsExactly(105, 70, 42);
    }
  }

  private float[] gradients(Graph graph, boolean condition, float... x) {
    try (Session session = Session.of(graph, SessionOptions.DEFAULT);
      Tensor given = Tensor.of(x, x.length);
      Tensor chosen = Tensor.of(new boolean[] {condition});
      Result result = session.run(Map.of("x", given, "c", chosen))) {
      return result.get(result.names().iterator().next()).toFloatArray();
    }
  }

  /** Where the condition holds {@code x²·w}, else {@code 3·w}. */
  private static NodeEntry squaresOrThrice(NodeEntry condition, NodeEntry x, NodeEntry w) {
    var then = new ControlFixture("if/then");
    NodeEntry inside = then.parameter("x");
    Graph squares = then.body(then.apply("product", "Mul", then.apply("square", "Mul", inside, inside), then.parameter(
      "w")));
    var otherwise = new ControlFixture("if/else");
    otherwise.parameter("x");
    Graph thrice = otherwise.body(otherwise.apply("three", "Mul", otherwise.parameter("w"), otherwise.constant("3",
      ControlFixture.floats(3))));
    return ControlFixture.branch("choice", squares, thrice, condition, x, w).entry();
  }

  @Test
  void aBranchThatARunDecidesHasTheGradientOfTheBranchThatRan() {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry condition = fixture.input("c", "bool[scalar]");
    NodeEntry w = fixture.constant("w", ControlFixture.floats(5, 7));
    NodeEntry squared = Node.apply("e", "Mul", Attributes.NONE, List.of(x, x)).entry();
    Graph graph = fixture.graph(gradient(squaresOrThrice(condition, squared, w), x));
    assertThat(gradients(graph, true, 1, 2)).containsExactly(4 * 5, 4 * 8 * 7);
    assertThat(gradients(graph, false, 1, 2)).containsExactly(0, 0);
  }

  /** Captured twice, used in both branches, with a head of its own; another result is read by nothing. */
  @Test
  void gradientsAddUpOverOperandsAndHeads() {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry condition = fixture.input("c", "bool[scalar]");
    var then = new ControlFixture("if/then");
    NodeEntry first = then.parameter("x");
    NodeEntry second = then.parameter("x2");
    Graph sum = then.body(then.apply("sum", "Add", first, second), then.apply("exp", "Exp", first));
    var otherwise = new ControlFixture("if/else");
    NodeEntry kept = otherwise.parameter("x");
    Graph same = otherwise.body(kept, otherwise.apply("neg", "Neg", otherwise.parameter("x2")));
    Node branch = ControlFixture.branch("choice", sum, same, condition, x, x);
    Graph graph = fixture.graph(gradient(Node.apply("y", "Mul", Attributes.NONE, List.of(branch.entry(0), branch.entry(
      0))).entry(), x));
    assertThat(gradients(graph, true, 1, 2)).containsExactly(8, 16);
    assertThat(gradients(graph, false, 1, 2)).containsExactly(2, 4);
  }

  @Test
  void branchesInsideOfBranchesAndSecondDerivatives() {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry condition = fixture.input("c", "bool[scalar]");
    var then = new ControlFixture("outer/then");
    NodeEntry inside = then.parameter("x");
    Graph nested = then.body(squaresOrThrice(then.parameter("c"), inside, inside));
    var otherwise = new ControlFixture("outer/else");
    NodeEntry given = otherwise.parameter("x");
    otherwise.parameter("c");
    Graph same = otherwise.body(given);
    NodeEntry y = ControlFixture.branch("outer", nested, same, condition, x, condition).entry();
    NodeEntry once = gradient(y, x);
    assertThat(gradients(fixture.graph(once), true, 1, 2)).containsExactly(3, 12);
    assertThat(gradients(fixture.graph(once), false, 1, 2)).containsExactly(1, 1);
    Graph twice = fixture.graph(Node.apply("gg", "Gradient", Attributes.NONE, List.of(once, x)).entry());
    assertThat(gradients(twice, true, 1, 2)).containsExactly(6, 12);
    assertThat(gradients(twice, false, 1, 2)).containsExactly(0, 0);
  }

  @Test
  void operatorsWithoutGradientInBranchesAreNamed() {
    NodeEntry x = fixture.input("x", "float32[1x2x2]");
    NodeEntry condition = fixture.input("c", "bool[scalar]");
    var then = new ControlFixture("if/then");
    Graph transformed = then.body(then.apply("wave", "DFT", then.parameter("x")));
    var otherwise = new ControlFixture("if/else");
    Graph same = otherwise.body(otherwise.parameter("x"));
    Graph graph = fixture.graph(gradient(ControlFixture.branch("choice", transformed, same, condition, x).entry(), x));
    assertThatThrownBy(() -> Session.of(graph, SessionOptions.DEFAULT).close()).isInstanceOfSatisfying(
      UnsupportedOperators.class, it -> assertThat(it.gaps()).extracting(Gap::node, Gap::operator).containsExactly(
        tuple("choice/gradient/if/then/wave", "DFT")));
  }

  @Test
  void aLoopThatARunEndsIsRefusedByName() {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry trips = fixture.input("trips", "int64[scalar]");
    var body = new ControlFixture("loop/body");
    body.parameter("trip");
    NodeEntry condition = body.parameter("condition");
    NodeEntry value = body.parameter("value");
    Node loop = ControlFixture.loop("power", body.body(condition, body.apply("square", "Mul", value, value)), 1, trips,
      Node.absent(), x);
    Graph graph = fixture.graph(gradient(loop.entry(), x));
    assertThatThrownBy(() -> Session.of(graph, SessionOptions.DEFAULT).close()).isInstanceOfSatisfying(
      UnsupportedOperators.class, it -> assertThat(it.gaps()).extracting(Gap::node, Gap::operator).containsExactly(
        tuple("power", "Loop")));
  }
}
