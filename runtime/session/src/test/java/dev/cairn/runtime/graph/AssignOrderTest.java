package dev.cairn.runtime.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.session.RandomPrograms;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AssignOrderTest {
  private final GraphFixture fixture = new GraphFixture();
  private final NodeEntry x = fixture.input("x", "float32[1]");
  private final NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(1), 1));

  private static List<String> names(Graph graph) {
    return graph.nodes().stream().map(Node::name).toList();
  }

  @Test
  void whoReadsTheOldValueComesBeforeTheAssign() {
    NodeEntry a = fixture.assign("a", w, x);
    NodeEntry b = fixture.apply("b", "Neg", w);
    NodeEntry y = fixture.apply("y", "Add", a, b);
    Graph graph = fixture.graph(y);
    assertThat(names(graph)).containsExactly("x", "w", "b", "a", "y");
    assertThat(AssignOrder.wishes(graph)).containsExactly(new AssignOrder.Wish(b.node(), a.node()));
  }

  @Test
  void theNewValueIsComputedAsLateAsTheAssign() {
    NodeEntry value = fixture.apply("value", "Relu", w);
    fixture.assign("a", w, value);
    NodeEntry b = fixture.apply("b", "Neg", w);
    NodeEntry late = fixture.apply("late", "Add", value, b);
    assertThat(names(fixture.graph(fixture.apply("first", "Abs", x), b)))
      .containsExactly("x", "first", "w", "b", "value", "a");
    assertThat(names(fixture.graph(late))).as("another reads it").containsExactly("x", "w", "b", "value", "late", "a");
    NodeEntry both = fixture.apply("both", "Add", value, w);
    assertThat(names(fixture.graph(both, fixture.apply("first", "Abs", x)))).as("one needs both values")
      .containsExactly("x", "w", "value", "both", "first", "a");
  }

  /** One of two readers of old values needs the new value, too: only that one reads late. */
  @Test
  void onlyTheWishesOfARingAreGivenUp() {
    NodeEntry v = fixture.variable("v", TensorView.ofFloats(Shape.of(1), 1));
    NodeEntry ofV = fixture.assign("ofV", v, x);
    NodeEntry ofW = fixture.assign("ofW", w, x);
    NodeEntry ring = fixture.apply("ring", "Add", ofW, w);
    NodeEntry after = fixture.apply("after", "Add", ring, v);
    assertThat(names(fixture.graph(ofV, after))).containsExactly("x", "v", "w", "ofW", "ring", "after", "ofV");
  }

  @Test
  void assignsCanBePutOffToTheirReaders() {
    NodeEntry a = fixture.assign("a", w, fixture.apply("value", "Neg", w));
    NodeEntry v = fixture.variable("v", TensorView.ofFloats(Shape.of(1), 1));
    fixture.assign("b", v, x);
    Graph graph = fixture.graph(fixture.apply("first", "Abs", x), fixture.apply("y", "Neg", a));
    assertThat(names(graph)).containsExactly("x", "first", "w", "value", "a", "y", "v", "b");
    assertThat(names(AssignOrder.withLateAssigns(graph))).containsExactly("x", "first", "w", "value", "a", "y", "v",
      "b");
    Graph unread = fixture.graph(fixture.apply("z", "Neg", fixture.apply("other", "Relu", x)));
    assertThat(names(AssignOrder.withLateAssigns(unread))).endsWith("a", "b");
  }

  @Test
  void whoNeedsTheNewValueTooComesAfterIt() {
    NodeEntry a = fixture.assign("a", w, x);
    NodeEntry y = fixture.apply("y", "Add", a, w);
    NodeEntry b = fixture.apply("b", "Neg", w);
    assertThat(names(fixture.graph(y, b))).containsExactly("x", "w", "b", "a", "y");
  }

  @Test
  void eachValueOfAVariableHasReadersOfItsOwn() {
    NodeEntry a = fixture.assign("a", w, x);
    NodeEntry b = fixture.assign("b", a, fixture.apply("value", "Neg", x));
    NodeEntry ofA = fixture.apply("ofA", "Neg", a);
    NodeEntry ofB = fixture.apply("ofB", "Abs", b);
    NodeEntry ofW = fixture.apply("ofW", "Relu", w);
    assertThat(names(fixture.graph(ofB, ofA, ofW)))
      .containsExactly("x", "w", "ofW", "a", "ofA", "value", "b", "ofB");
  }

  @Test
  void anAssignIsInTheGraphThoughNothingReadsIt() {
    Node a = fixture.assign("a", w, x).node();
    NodeEntry y = fixture.apply("y", "Neg", x);
    Graph graph = fixture.graph(y);
    assertThat(names(graph)).containsExactly("x", "y", "w", "a");
    assertThat(graph.assigns()).containsExactly(a);
    assertThat(graph.variables()).containsExactly(w.node());
    Graph other = graph.withOutputs(List.of(new Graph.Output("x", x)));
    assertThat(names(other)).containsExactly("x", "w", "a");
  }

  @Test
  void aChainOfManyAssignsIsNoTrouble() {
    NodeEntry last = w;
    for (int i = 0; i < 20_000; i++) {
      last = fixture.assign("a" + i, last, fixture.apply("n" + i, "Neg", last));
    }
    assertThat(fixture.graph(last).nodes()).hasSize(40_002);
  }

  @Test
  void everyRandomProgramIsInAnOrderAndAlwaysTheSame() {
    for (int seed = 0; seed < 60; seed++) {
      Graph graph = new RandomPrograms(seed, 40).graph();
      Set<Node> seen = new HashSet<>();
      for (Node node : graph.nodes()) {
        assertThat(node.inputs()).as("seed %d", seed).allMatch(input -> seen.contains(input.node()));
        assertThat(seen.add(node)).isTrue();
      }
      Graph again = new Graph(graph.name(), graph.inputs(), graph.outputs(), graph.assigns());
      assertThat(again.toString()).isEqualTo(new RandomPrograms(seed, 40).graph().toString());
    }
  }

  @Test
  void aRewriteKeepsAssignsAndTheirMeaning() {
    NodeEntry value = fixture.apply("value", "Dropout", fixture.apply("sum", "Add", w, x));
    NodeEntry a = fixture.assign("a", w, value);
    Graph changed = GraphRewriter.rewrite(fixture.graph(fixture.apply("y", "Neg", a)),
      (old, current) -> old.operator().equals("Dropout")
        ? List.of(current.inputs().get(0))
        : current.entries());
    assertThat(changed.toString()).isEqualTo("""
      x = input float32[1]
      w = variable float32[1]
      sum = Add(w, x)
      a = assign(w, sum)
      y = Neg(a)
      return y=y
      """);
    assertThat(changed.assigns()).extracting(Node::name).containsExactly("a");
  }
}
