package dev.cairn.runtime.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Types of nodes that run bodies. */
class ControlInferenceTest {
  private static final int LEVELS = 16;
  private static final int NODES_OF_A_LEVEL = 125;

  private final GraphFixture fixture = new GraphFixture();

  private static GraphTypes infer(Graph graph, boolean unrolling) {
    return new TypeInference(StandardOperators.table(), ValueEvaluator.NONE, unrolling).infer(graph, GraphFixture
      .inputTypes(graph));
  }

  /** A vector with one more element, or the vector itself. */
  private Node longerOrSame(NodeEntry condition, NodeEntry x) {
    var then = new ControlFixture("if/then");
    NodeEntry longer = Node.apply("if/then/longer", "Concat", Attributes.NONE.with("axis", 0), List.of(then.parameter(
      "x"), then.constant("one", ControlFixture.floats(1)))).entry();
    var otherwise = new ControlFixture("if/else");
    return ControlFixture.branch("if", then.body(longer), otherwise.body(otherwise.parameter("x")), condition, x);
  }

  @Test
  void aKnownConditionTypesOneBranchAlone() {
    NodeEntry x = fixture.input("x", "float32[3]");
    Node branch = longerOrSame(fixture.constant("c", ControlFixture.bool(true)), x);
    assertThat(infer(fixture.graph(branch.entry()), true).type(branch.entry())).hasToString("float32[4]");
  }

  @Test
  void branchesOfDifferentShapesNeedTheValueOfTheCondition() {
    NodeEntry x = fixture.input("x", "float32[3]");
    Node branch = longerOrSame(fixture.input("c", "bool[scalar]"), x);
    assertThatThrownBy(() -> infer(fixture.graph(branch.entry()), true)).isInstanceOfSatisfying(
      ValueDependentShape.class, it -> {
        assertThat(it.node()).isEqualTo("if");
        assertThat(it.input()).isZero();
      }).hasMessageContaining("then=[float32[4]] else=[float32[3]]");
  }

  @Test
  void branchesOfDifferentElementTypesAreRefused() {
    NodeEntry c = fixture.input("c", "bool[scalar]");
    var then = new ControlFixture("if/then");
    var otherwise = new ControlFixture("if/else");
    Node branch = ControlFixture.branch("if", then.body(then.constant("a", TensorView.ofLong(1))), otherwise.body(
      otherwise.constant("b", ControlFixture.floats(1))), c);
    assertThatThrownBy(() -> infer(fixture.graph(branch.entry()), true)).isInstanceOf(InvalidGraph.class)
      .isNotInstanceOf(ValueDependentShape.class).hasMessageContaining("different element types");
  }

  /** A vector that doubles its length in each trip, and is stacked where that is wanted. */
  private Graph growing(NodeEntry trips, boolean stacked) {
    NodeEntry x = fixture.input("x", "float32[3]");
    var body = new ControlFixture("loop/body");
    body.parameter("trip");
    NodeEntry condition = body.parameter("condition");
    NodeEntry old = body.parameter("x");
    NodeEntry twice = Node.apply("loop/body/twice", "Concat", Attributes.NONE.with("axis", 0), List.of(old, old))
      .entry();
    Graph inside = stacked ? body.body(condition, twice, old) : body.body(condition, twice);
    return fixture.graph(ControlFixture.loop("loop", inside, 1, trips, Node.absent(), x).entry());
  }

  @Test
  void aShortLoopIsFollowedTripByTrip() {
    Graph graph = growing(fixture.constant("trips", TensorView.ofLong(3)), false);
    NodeEntry loop = graph.outputs().get(0).entry();
    GraphTypes types = infer(graph, true);
    assertThat(types.type(loop)).hasToString("float32[24]");
    assertThat(types.trips(loop.node())).hasValue(3);
    assertThatThrownBy(() -> infer(graph, false)).isInstanceOf(ValueDependentShape.class).hasMessageContaining(
      "a carried value changes its shape");
  }

  @Test
  void aStackedValueMayNotChangeItsShape() {
    Graph graph = growing(fixture.constant("trips", TensorView.ofLong(3)), true);
    assertThatThrownBy(() -> infer(graph, true)).isInstanceOfSatisfying(InvalidGraph.class, it -> assertThat(it
      .node()).isEqualTo("loop")).hasMessageContaining("trip=1 was=[float32[3]] now=[float32[6]]");
  }

  /** Stacks x in each trip. */
  private Graph stacking(NodeEntry trips) {
    NodeEntry x = fixture.input("x", "float32[3]");
    var body = new ControlFixture("loop/body");
    body.parameter("trip");
    Graph inside = body.body(body.parameter("condition"), body.apply("neg", "Neg", body.parameter("x")));
    return fixture.graph(ControlFixture.loop("loop", inside, 0, trips, Node.absent(), x).entry());
  }

  @Test
  void aLongLoopHasOneTypeForAllTrips() {
    for (long trips : new long[] {0, 16, 17, 1000}) {
      Graph graph = new ControlInferenceTest().stackingFor(trips);
      NodeEntry loop = graph.outputs().get(0).entry();
      assertThat(infer(graph, false).type(loop)).isEqualTo(TensorType.of(DType.FLOAT32, trips,
        3));
      assertThat(infer(graph, true).trips(loop.node()).isPresent()).isEqualTo(trips <= 16);
    }
  }

  private Graph stackingFor(long trips) {
    return stacking(fixture.constant("trips", TensorView.ofLong(trips)));
  }

  @Test
  void stackedSlicesOfAnUnknownNumberOfTripsNeedItsValue() {
    Graph graph = stacking(fixture.input("trips", "int64[scalar]"));
    assertThatThrownBy(() -> infer(graph, true)).isInstanceOfSatisfying(ValueDependentShape.class, it -> {
      assertThat(it.node()).isEqualTo("loop");
      assertThat(it.input()).isZero();
    });
  }

  @Test
  void aStackLargerThanTheAddressSpaceIsRefused() {
    Graph graph = stackingFor(1L << 62);
    assertThatThrownBy(() -> infer(graph, true)).isInstanceOfSatisfying(InvalidGraph.class, it -> assertThat(it
      .node()).isEqualTo("loop")).hasMessageContaining("slice=float32[3] trips=4611686018427387904");
  }

  /** A chain of nodes, then the same inside of a node with a body, down to the deepest level. */
  private static NodeEntry nested(int level, boolean looped, ControlFixture at, NodeEntry condition, NodeEntry from) {
    NodeEntry x = from;
    for (int i = 0; i < NODES_OF_A_LEVEL; i++) {
      x = at.apply("n" + i, "Counted", x);
    }
    if (level == LEVELS) {
      return x;
    }
    String name = "level" + level;
    var body = new ControlFixture(name + "/body");
    NodeEntry first = looped ? body.parameter("trip") : body.parameter("c");
    NodeEntry goesOn = looped ? body.parameter("condition") : first;
    Graph inside = looped
      ? body.body(goesOn, nested(level + 1, true, body, goesOn, body.parameter("x")))
      : body.body(nested(level + 1, false, body, first, body.parameter("x")));
    if (looped) {
      return ControlFixture.loop(name, inside, 1, at.constant("trips", TensorView.ofLong(1000)), Node.absent(), x)
        .entry();
    }
    var otherwise = new ControlFixture(name + "/else");
    otherwise.parameter("c");
    return ControlFixture.branch(name, inside, otherwise.body(otherwise.parameter("x")), condition, condition, x)
      .entry();
  }

  /** However deeply bodies are nested, and whatever the number of trips. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void twoThousandNodesInBodiesAreTypedAFewTimesEach(boolean looped) {
    var calls = new AtomicInteger();
    OperatorTable operators = StandardOperators.table().with(new OperatorDefinition("Counted", 1, 1, context -> {
      calls.incrementAndGet();
      return List.of(context.input(0));
    }, MemoryTraits.NONE));
    NodeEntry c = fixture.input("c", "bool[scalar]");
    NodeEntry x = fixture.input("x", "float32[3]");
    Graph graph = fixture.graph(nested(1, looped, new ControlFixture("model"), c, x));
    GraphTypes types = new TypeInference(operators, ValueEvaluator.NONE).infer(graph, GraphFixture.inputTypes(graph));
    assertThat(types.type(graph.outputs().getFirst().entry())).hasToString("float32[3]");
    assertThat(calls.get()).isBetween(LEVELS * NODES_OF_A_LEVEL, 8 * LEVELS * NODES_OF_A_LEVEL);
  }
}
