package dev.cairn.runtime.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.Tensor;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** G-10: control flow that is the same in every run has gradients; other control flow is refused by name. */
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

  @Test
  void aBranchThatARunDecidesIsRefusedByName() {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry condition = fixture.input("c", "bool[scalar]");
    var then = new ControlFixture("if/then");
    Graph doubled = then.body(then.apply("sum", "Add", then.parameter("x"), then.parameter("x2")));
    var otherwise = new ControlFixture("if/else");
    otherwise.parameter("x");
    Graph same = otherwise.body(otherwise.apply("neg", "Neg", otherwise.parameter("x2")));
    Node branch = Node.control("choice", new NodeKind.Branch(doubled, same), List.of(condition, x, x));
    Graph graph = fixture.graph(gradient(branch.entry(), x));
    assertThatThrownBy(() -> Session.of(graph, SessionOptions.DEFAULT).close()).isInstanceOf(UnsupportedOperators.class)
      .hasMessageContainingAll("choice", "control flow has none yet");
  }
}
