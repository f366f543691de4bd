package dev.cairn.runtime.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GraphRewriterTest {
  private static final GraphRewriter.Rule NOTHING = (old, current) -> current.entries();

  private final GraphFixture fixture = new GraphFixture();
  private final NodeEntry x = fixture.input("x", "float32[2]");

  @Test
  void aRuleThatChangesNothingGivesTheSameGraph() {
    Graph graph = fixture.graph(fixture.apply("y", "Add", x, fixture.longs("c", 1)));
    assertThat(GraphRewriter.rewrite(graph, NOTHING)).isSameAs(graph);
  }

  @Test
  void anAssignCannotBeLost() {
    NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(2), 1, 2));
    Graph graph = fixture.graph(fixture.assign("a", w, fixture.apply("n", "Neg", x)));
    assertThatThrownBy(() -> GraphRewriter.rewrite(graph, (old, current) -> old.name().equals("a")
      ? List.of(current.inputs().get(1))
      : current.entries())).isInstanceOf(AssertionError.class).hasMessageContaining("an assign is lost");
  }

  @Test
  void whatTheChangeDoesNotReachIsShared() {
    NodeEntry a = fixture.apply("a", "Neg", x);
    NodeEntry b = fixture.apply("b", "Dropout", a);
    NodeEntry c = fixture.apply("c", "Exp", b);
    NodeEntry d = fixture.apply("d", "Log", a);
    Graph changed = GraphRewriter.rewrite(fixture.graph(c, d), replacing("Dropout"));
    assertThat(changed.toString()).isEqualTo("""
      x = input float32[2]
      a = Neg(x)
      c = Exp(a)
      d = Log(a)
      return c=c, d=d
      """);
    assertThat(changed.nodes()).contains(a.node(), d.node()).doesNotContain(c.node());
  }

  @Test
  void theChangeSpreadsToAllThatReadsIt() {
    NodeEntry a = fixture.apply("a", "Dropout", x);
    NodeEntry b = fixture.apply("b", "Add", a, a);
    NodeEntry c = fixture.apply("c", "Mul", b, a);
    Graph changed = GraphRewriter.rewrite(fixture.graph(c, a), replacing("Dropout"));
    assertThat(changed.toString()).isEqualTo("""
      x = input float32[2]
      b = Add(x, x)
      c = Mul(b, x)
      return c=c, a=x
      """);
  }

  @Test
  void consecutiveReplacementsAreSeenInOneWalk() {
    NodeEntry last = fixture.chain("n", "Dropout", 100_000, 1, x);
    assertThat(GraphRewriter.rewrite(fixture.graph(last), replacing("Dropout")).toString())
      .isEqualTo("x = input float32[2]\nreturn n99999=x\n");
  }

  @Test
  void theRuleSeesTheOldNodeAndTheRewrittenOne() {
    NodeEntry a = fixture.apply("a", "Dropout", x);
    NodeEntry b = fixture.apply("b", "Neg", a);
    List<String> seen = new ArrayList<>();
    GraphRewriter.rewrite(fixture.graph(b), (old, current) -> {
      seen.add(old + " | " + current);
      return replacing("Dropout").rewrite(old, current);
    });
    assertThat(seen).containsExactly("a = Dropout(x) | a = Dropout(x)", "b = Neg(a) | b = Neg(x)");
  }

  @Test
  void oneResultOfSeveralCanBeReplaced() {
    List<NodeEntry> parts = fixture.applyForAll("parts", "Split", 3, x);
    NodeEntry y = fixture.apply("y", "Concat{axis=0}", parts.get(0), parts.get(1), parts.get(2));
    Graph changed = GraphRewriter.rewrite(fixture.graph(y),
      (old, current) -> old.operator().equals("Split")
        ? List.of(current.entry(0), x, current.entry(2))
        : current.entries());
    assertThat(changed.toString()).isEqualTo("""
      x = input float32[2]
      parts = Split(x) -> 3
      y = Concat{axis=0}(parts, x, parts:2)
      return y=y
      """);
  }

  @Test
  void onlyTheLastResultReplacedIsAChangeToo() {
    List<NodeEntry> parts = fixture.applyForAll("parts", "Split", 2, x);
    Graph changed = GraphRewriter.rewrite(fixture.graph(parts.get(1)),
      (old, current) -> List.of(current.entry(0), x));
    assertThat(changed.toString()).isEqualTo("x = input float32[2]\nreturn parts:1=x\n");
  }

  @Test
  void anAbsentInputStaysAbsent() {
    NodeEntry a = fixture.apply("a", "Dropout", x);
    NodeEntry y = fixture.apply("y", "Clip", a, Node.absent(), fixture.longs("c", 1));
    assertThat(GraphRewriter.rewrite(fixture.graph(y), replacing("Dropout")).toString()).isEqualTo("""
      x = input float32[2]
      c = constant int64[1]
      y = Clip(x, _, c)
      return y=y
      """);
  }

  @Test
  void constantsAreOfferedToTheRuleAndInputsAreNot() {
    NodeEntry c = fixture.longs("c", 1);
    NodeEntry y = fixture.apply("y", "Add", x, c);
    List<String> offered = new ArrayList<>();
    Graph changed = GraphRewriter.rewrite(fixture.graph(y), (old, current) -> {
      offered.add(old.name());
      return old == c.node() ? List.of(x) : current.entries();
    });
    assertThat(offered).containsExactly("c", "y");
    assertThat(changed.toString()).isEqualTo("x = input float32[2]\ny = Add(x, x)\nreturn y=y\n");
  }

  @Test
  void aRuleMayPutInNewNodes() {
    NodeEntry y = fixture.apply("y", "Gelu", x);
    Graph changed = GraphRewriter.rewrite(fixture.graph(y), (old, current) -> List.of(
      fixture.apply("half", "Mul", fixture.apply("erf", "Erf", current.inputs().get(0)), fixture.longs("c", 1))));
    assertThat(changed.toString()).isEqualTo("""
      x = input float32[2]
      erf = Erf(x)
      c = constant int64[1]
      half = Mul(erf, c)
      return y=half
      """);
  }

  @Test
  void substitutesInputsConstantsAndVariables() {
    NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(2), 1, 2));
    NodeEntry c = fixture.constant("c", TensorView.ofFloats(Shape.of(2), 1, 2));
    Graph graph = fixture.graph(fixture.apply("y", "Add", fixture.apply("s", "Add", x, w), c));
    NodeEntry parameter = Node.variable("p", TensorView.ofFloats(Shape.of(2), 1, 2)).entry();
    NodeEntry other = Node.input("v", Notation.declaredType("float32[2]")).entry();
    NodeEntry value = Node.apply("n", "Neg", Attributes.NONE, List.of(other)).entry();
    assertThat(GraphRewriter.substitute(graph, Map.of(c.node(), parameter, w.node(), value)).toString()).isEqualTo("""
      x = input float32[2]
      v = input float32[2]
      n = Neg(v)
      s = Add(x, n)
      p = variable float32[2]
      y = Add(s, p)
      return y=y
      """);
    assertThat(GraphRewriter.substitute(graph, Map.of(x.node(), c)).toString()).contains("s = Add(c, w)")
      .startsWith("x = input");
    assertThat(GraphRewriter.substitute(graph, Map.of())).isSameAs(graph);
  }

  @Test
  void substitutesUnderEntriesOfNoGraph() {
    NodeEntry y = fixture.apply("y", "Add", x, fixture.apply("n", "Neg", x));
    NodeEntry shared = fixture.apply("e", "Exp", fixture.longs("l", 1));
    List<NodeEntry> moved = GraphRewriter.substitute(List.of(y, shared, x), Map.of(x.node(), shared));
    assertThat(moved.get(0).node()).hasToString("y = Add(e, n)");
    assertThat(moved.get(1)).isEqualTo(shared);
    assertThat(moved.get(2)).isEqualTo(shared);
    NodeEntry chain = fixture.chain("c", "Neg", 100_000, 1, x);
    assertThat(GraphRewriter.substitute(List.of(chain), Map.of(x.node(), shared)).getFirst()).isNotEqualTo(chain);
  }

  @Test
  void aUseOfAnOperatorCannotBeSubstituted() {
    NodeEntry y = fixture.apply("y", "Neg", x);
    assertThatThrownBy(() -> GraphRewriter.substitute(fixture.graph(y), Map.of(y.node(), x)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("y = Neg(x)");
    NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(2), 1, 2));
    Graph assigned = fixture.graph(fixture.assign("a", w, x));
    assertThatThrownBy(() -> GraphRewriter.substitute(assigned, Map.of(w.node(), x))).isInstanceOf(InvalidGraph.class)
      .hasMessageContaining("G5 assigns");
  }

  @Test
  void aRuleThatForgetsAResultIsOurOwnFault() {
    List<NodeEntry> parts = fixture.applyForAll("parts", "Split", 2, x);
    Graph graph = fixture.graph(parts.get(0));
    assertThatThrownBy(() -> GraphRewriter.rewrite(graph, (old, current) -> List.of(x)))
      .isInstanceOf(AssertionError.class).hasMessage("one entry a result: node=parts given=1");
  }

  /** The first input takes the place of each use of the operator. */
  private static GraphRewriter.Rule replacing(String operator) {
    return (old, current) -> current.operator().equals(operator)
      ? List.of(current.inputs().get(0))
      : current.entries();
  }
}
