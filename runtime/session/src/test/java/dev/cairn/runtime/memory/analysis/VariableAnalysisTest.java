package dev.cairn.runtime.memory.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.AssignOrder;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.RandomPrograms;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which assigns are direct, which are copies, and which old values are kept. */
class VariableAnalysisTest {
  private static final OperatorTable OPERATORS = StandardOperators.table();

  private final GraphFixture fixture = new GraphFixture();
  private final NodeEntry x = fixture.input("x", "float32[2x2]");
  private final NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(2, 2), 1, 2, 3, 4));

  private static IndexedGraph indexed(Graph graph) {
    return new IndexedGraph(KeptValues.applied(graph));
  }

  private static Storage analyse(IndexedGraph graph, OperatorTable operators) {
    GraphTypes types = new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(graph.graph(),
      GraphFixture.inputTypes(graph.graph()));
    Storage storage = StorageAnalysis.analyse(graph, types, operators, node -> 0, 64);
    VariableCheck.requireSound(graph, storage);
    return storage;
  }

  private static List<String> steps(Storage storage) {
    return storage.steps().stream().map(Node::name).toList();
  }

  /** Steps of a graph with these outputs and all assigns so far; an assign among them is a copy. */
  private List<String> steps(NodeEntry... outputs) {
    return steps(analyse(indexed(fixture.graph(outputs)), OPERATORS));
  }

  @Test
  void anElementwiseValueIsWrittenRightIntoTheVariable() {
    NodeEntry sum = fixture.apply("sum", "Add", w, x);
    NodeEntry a = fixture.assign("a", w, sum);
    IndexedGraph graph = indexed(fixture.graph(a));
    Storage storage = analyse(graph, OPERATORS);
    assertThat(steps(storage)).containsExactly("sum");
    assertThat(storage.variables().variables()).containsExactly(w.node());
    assertThat(storage.variables().direct()).containsExactly(a.node());
    for (NodeEntry entry : List.of(w, sum, a)) {
      assertThat(storage.places().get(graph.entryId(entry))).isEqualTo(new Place.Variable(0));
    }
    assertThat(storage.problem().size()).isZero();
    assertThat(storage.separateBytes()).isZero();
  }

  @Test
  void evenWhenItDoesNotReadTheVariable() {
    fixture.assign("a", w, fixture.apply("value", "Neg", x));
    assertThat(steps()).containsExactly("value");
  }

  @Test
  void othersReadTheNewValueInTheVariable() {
    NodeEntry sum = fixture.apply("sum", "Add", w, x);
    fixture.assign("a", w, sum);
    assertThat(steps(fixture.apply("y", "Neg", sum), sum)).containsExactly("sum", "y");
  }

  @Test
  void aNewValueThatIsReadAfterTheNextOneIsCopied() {
    NodeEntry sum = fixture.apply("sum", "Add", w, x);
    NodeEntry a = fixture.assign("a", w, sum);
    NodeEntry b = fixture.assign("b", a, fixture.apply("next", "Mul", x, x));
    NodeEntry late = fixture.apply("late", "Add", sum, b);
    assertThat(steps(late)).containsExactly("sum", "a", "next", "late");
    assertThat(steps(late, sum)).as("also as an output").containsExactly("sum", "a", "next", "late");
  }

  /** Under its maker's name it is the old value all the same, and the sum may not be written over its third operand. */
  @Test
  void theOldValueMayBeReadAsItsMakersResult() {
    NodeEntry one = fixture.apply("one", "Add", w, x);
    NodeEntry a = fixture.assign("a", w, one);
    fixture.assign("b", a, fixture.apply("two", "Sum", x, x, one));
    assertThat(steps()).containsExactly("one", "two", "b");
    fixture.assign("c", fixture.variable("v", TensorView.ofFloats(Shape.of(2, 2), 0, 0, 0, 0)), one);
    assertThat(steps()).as("one goes right into v").containsExactly("one", "a", "two");
  }

  @Test
  void aValueThatTwoVariablesGetIsCopiedOnce() {
    NodeEntry v = fixture.variable("v", TensorView.ofFloats(Shape.of(2, 2), 0, 0, 0, 0));
    NodeEntry sum = fixture.apply("sum", "Add", w, x);
    fixture.assign("a", w, sum);
    fixture.assign("b", v, sum);
    assertThat(steps()).containsExactly("sum", "b");
  }

  @Test
  void anotherVariablesValueIsCopied() {
    NodeEntry v = fixture.variable("v", TensorView.ofFloats(Shape.of(2, 2), 0, 0, 0, 0));
    fixture.assign("a", w, v);
    assertThat(steps()).containsExactly("a");
  }

  @Test
  void whatTheCallerGivesAndConstantsAreCopied() {
    NodeEntry a = fixture.assign("a", w, x);
    fixture.assign("b", a, fixture.constant("c", TensorView.ofFloats(Shape.of(2, 2), 0, 0, 0, 0)));
    assertThat(steps()).containsExactly("a", "b");
  }

  @Test
  void aMatrixProductIsCopied() {
    fixture.assign("a", w, fixture.apply("product", "MatMul", w, x));
    assertThat(steps()).containsExactly("product", "a");
  }

  @Test
  void whatIsInPlaceButNotElementwiseIsCopied() {
    fixture.assign("a", w, fixture.apply("value", "Softmax", w));
    assertThat(steps()).containsExactly("value", "a");
  }

  /** Upstream forgets to ask for this. The graph's order sees no reader in an alias, so it comes in between. */
  @Test
  void aReaderBetweenValueAndAssignMakesItACopy() {
    NodeEntry flat = fixture.apply("flat", "Reshape", w, fixture.longs("shape", 4));
    NodeEntry sum = fixture.apply("sum", "Add", w, x);
    NodeEntry a = fixture.assign("a", w, sum);
    NodeEntry between = fixture.apply("between", "Neg", flat);
    IndexedGraph graph = indexed(fixture.graph(fixture.apply("first", "Abs", sum), between, a));
    assertThat(steps(analyse(graph, OPERATORS))).containsExactly("sum", "first", "between", "a");
    fixture.assign("second", a, fixture.apply("value", "Neg", between(a)));
    assertThat(steps()).contains("value").doesNotContain("second");
  }

  private NodeEntry between(NodeEntry a) {
    return fixture.apply("again", "Abs", a);
  }

  @Test
  void aPlainReaderComesBeforeTheValueInstead() {
    NodeEntry sum = fixture.apply("sum", "Add", w, x);
    NodeEntry a = fixture.assign("a", w, sum);
    assertThat(steps(a, fixture.apply("reader", "Neg", w))).containsExactly("reader", "sum");
  }

  /** Written where it is computed, it would be overwritten by the assign before. */
  @Test
  void aValueThatIsComputedBeforeTheOldOneIsThereIsCopied() {
    NodeEntry early = fixture.apply("early", "Neg", x);
    NodeEntry one = fixture.assign("one", w, fixture.apply("product", "MatMul", x, x));
    NodeEntry two = fixture.assign("two", one, early);
    // The order goes from outputs to their operands, so "early" is met first as an operand of "two" alone.
    NodeEntry late = fixture.apply("late", "Add", two, x);
    IndexedGraph graph = indexed(fixture.graph(late));
    Storage storage = analyse(graph, OPERATORS);
    boolean before = graph.nodeId(early.node()) < graph.nodeId(one.node());
    assertThat(steps(storage).contains("two")).isEqualTo(before);
  }

  @Test
  void aChainOfDirectAssignsNeedsNoMemory() {
    NodeEntry last = w;
    for (int i = 0; i < 50; i++) {
      last = fixture.assign("a" + i, last, fixture.apply("n" + i, "Add", last, x));
    }
    Storage storage = analyse(indexed(fixture.graph(last)), OPERATORS);
    assertThat(storage.steps()).hasSize(50);
    assertThat(storage.variables().direct()).hasSize(50);
    assertThat(storage.problem().size()).isZero();
  }

  /** The kernel may have written the sum of the first two over the third before it reads it. */
  @Test
  void anOperandThatMayNotBeWrittenOverMakesItACopy() {
    fixture.assign("a", w, fixture.apply("sum", "Sum", x, x, w));
    assertThat(steps()).containsExactly("sum", "a");
  }

  @Test
  void withoutInPlaceEveryAssignIsACopy() {
    fixture.assign("a", w, fixture.apply("sum", "Add", w, x));
    assertThat(steps(analyse(indexed(fixture.graph()), OPERATORS.withoutInPlace()))).containsExactly("sum", "a");
  }

  @Test
  void anOldValueIsKeptForWhoNeedsTheNewOneToo() {
    NodeEntry a = fixture.assign("a", w, fixture.apply("sum", "Add", w, x));
    NodeEntry y = fixture.apply("y", "Sub", a, w);
    Graph kept = KeptValues.applied(fixture.graph(y));
    assertThat(kept.toString()).isEqualTo("""
      x = input float32[2x2]
      w = variable float32[2x2]
      w/kept = Identity(w)
      sum = Add(w, x)
      a = assign(w, sum)
      y = Sub(a, w/kept)
      return y=y
      """);
    Storage storage = analyse(new IndexedGraph(kept), OPERATORS);
    assertThat(steps(storage)).containsExactly("w/kept", "sum", "y");
    assertThat(storage.problem().buffers()).as("y is written over it").extracting(it -> it.name())
      .containsExactly("w/kept");
  }

  @Test
  void anOldValueThatIsAnOutputIsKept() {
    NodeEntry a = fixture.assign("a", w, fixture.apply("sum", "Add", w, x));
    assertThat(steps(a, w)).containsExactly("w/kept", "sum");
    assertThat(steps(fixture.apply("flat", "Reshape", w, fixture.longs("shape", 4)))).as("under another shape")
      .containsExactly("flat", "sum");
  }

  @Test
  void anAliasThatIsReadLateRunsAsACopy() {
    NodeEntry flat = fixture.apply("flat", "Reshape", w, fixture.longs("shape", 4));
    NodeEntry flatter = fixture.apply("flatter", "Identity", flat);
    NodeEntry a = fixture.assign("a", w, fixture.apply("sum", "Add", w, x));
    NodeEntry flatNew = fixture.apply("flatNew", "Reshape", a, fixture.longs("shape2", 4));
    assertThat(steps(fixture.apply("y", "Sub", flatNew, flatter))).containsExactly("flat", "sum", "y");
  }

  @Test
  void aGraphWithoutLateReadersIsLeftAsItIs() {
    NodeEntry a = fixture.assign("a", w, fixture.apply("sum", "Add", w, x));
    Graph graph = fixture.graph(a);
    assertThat(KeptValues.applied(graph)).isSameAs(graph);
  }

  @Test
  void afterwardsNobodyReadsWhatIsAssignedOver() {
    for (int seed = 0; seed < 300; seed++) {
      Graph graph = KeptValues.applied(new RandomPrograms(seed, 5 + seed % 40).graph());
      for (AssignOrder.Wish wish : AssignOrder.wishes(graph)) {
        assertThat(graph.nodes().indexOf(wish.first())).as("seed %d %s", seed, wish)
          .isLessThan(graph.nodes().indexOf(wish.then()));
      }
      List<NodeEntry> over = graph.assigns().stream().map(assign -> assign.inputs().get(0)).toList();
      assertThat(graph.outputs()).as("seed %d", seed).noneMatch(output -> over.contains(output.entry()));
    }
  }

  @Test
  void theJudgeSeesStepsInAnotherOrderAndLostAssigns() {
    int found = 0;
    for (int seed = 0; seed < 60; seed++) {
      IndexedGraph graph = indexed(new RandomPrograms(seed, 20).graph());
      Storage it = analyse(graph, OPERATORS);
      for (int i = 0; i < it.steps().size(); i++) {
        List<Node> steps = new ArrayList<>(it.steps());
        Node step = steps.remove(i);
        if (step.kind() instanceof NodeKind.Assign) {
          assertThatThrownBy(() -> VariableCheck.requireSound(graph, withSteps(it, steps)))
            .isInstanceOf(AssertionError.class);
          found++;
        }
      }
    }
    assertThat(found).isGreaterThan(50);
    NodeEntry a = fixture.assign("a", w, fixture.apply("sum", "Add", x, x));
    IndexedGraph graph = indexed(fixture.graph(a, fixture.apply("reader", "Neg", w)));
    Storage it = analyse(graph, OPERATORS);
    assertThatThrownBy(() -> VariableCheck.requireSound(graph, withSteps(it, it.steps().reversed())))
      .isInstanceOf(AssertionError.class).hasMessageContaining("reader=reader means=w finds=a");
  }

  private static Storage withSteps(Storage it, List<Node> steps) {
    return new Storage(steps, it.places(), it.workspaces(), it.constants(), it.variables(), it.problem(),
      it.separateBytes(), it.inPlace());
  }
}
