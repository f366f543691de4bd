package dev.cairn.runtime.memory.analysis.recompute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.recompute.Word;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Recomputations in graphs, and the judge, which must find each planted fault. */
class ValueNumbersTest {
  private final GraphFixture fixture = new GraphFixture();
  private final NodeEntry x = fixture.input("x", "float32[2x2]");
  private final NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(2, 2), 1, 2, 3, 4));
  private final NodeEntry a = fixture.apply("a", "LeakyRelu{alpha=0.5}", x);
  private final NodeEntry flat = fixture.apply("flat", "Reshape", a, fixture.longs("shape", 4));
  private final NodeEntry b = fixture.apply("b", "Neg", flat);
  private final NodeEntry c = fixture.apply("c", "Sub", flat, b);
  private final NodeEntry assigned = fixture.assign("assigned", w, fixture.apply("value", "Add", w, x));
  private final Graph graph = fixture.graph(c);
  private final List<Node> steps = List.of(a.node(), b.node(), c.node(), assigned.node().inputs().get(1).node());

  private static void judge(Graph before, Graph after, Function<Node, Node> original) {
    ValueNumbers.requireEqual(new ValueNumbers.Judged(before, Node::operator), new ValueNumbers.Judged(after,
      Node::operator), original, node -> node.operator().equals("Neg"));
  }

  private RecomputeRewrite.Rewritten rewritten(int... word) {
    return RecomputeRewrite.applied(graph, steps, List.of(assigned.node()), Word.of(word));
  }

  @Test
  void aWordBecomesAGraphWithCopiesUnderOtherNames() {
    RecomputeRewrite.Rewritten again = rewritten(0, 1, 0, 2, 3);
    assertThat(again.graph().toString()).isEqualTo("""
      x = input float32[2x2]
      a = LeakyRelu{alpha=0.5}(x)
      shape = constant int64[1]
      flat = Reshape(a, shape)
      b = Neg(flat)
      a/again1 = LeakyRelu{alpha=0.5}(x)
      flat/again1 = Reshape(a/again1, shape)
      c = Sub(flat/again1, b)
      w = variable float32[2x2]
      value = Add(w, x)
      assigned = assign(w, value)
      return c=c
      """);
    judge(graph, again.graph(), again::original);
  }

  @Test
  void aWordWithoutRecomputationsIsTheGraphInItsOrder() {
    RecomputeRewrite.Rewritten same = rewritten(3, 0, 1, 2);
    assertThat(same.originals()).isEmpty();
    assertThat(same.graph().nodes()).containsExactlyInAnyOrderElementsOf(graph.nodes());
    judge(graph, same.graph(), same::original);
  }

  @Test
  void aRunThatIsNeverReadIsLeftOut() {
    assertThat(rewritten(0, 1, 2, 0, 3).graph().nodes()).hasSameSizeAs(graph.nodes());
  }

  @Test
  void aStepThatReadsWhatHasNotRunIsRefused() {
    assertThatThrownBy(() -> rewritten(1, 0, 2, 3)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("node=a");
  }

  private void assertFault(String fault, Graph after, Map<Node, Node> originals) {
    assertThatThrownBy(() -> judge(graph, after, node -> originals.getOrDefault(node, node)))
      .isInstanceOf(IllegalStateException.class).hasMessageContaining(fault);
  }

  @Test
  void findsACloneWithOtherAttributes() {
    NodeEntry clone = fixture.apply("a/again1", "LeakyRelu{alpha=0.25}", x);
    NodeEntry other = fixture.apply("c", "Sub", fixture.apply("flat/again1", "Reshape", clone, flat.node().inputs().get(
      1)), b);
    assertFault("computes another value: node=a/again1 original=a", fixture.graph(other), Map.of(clone.node(), a.node(),
      other.node(), c.node(), other.node().inputs().get(0).node(), flat.node()));
  }

  @Test
  void findsAnotherOperand() {
    NodeEntry other = fixture.apply("c", "Sub", b, flat);
    assertFault("computes another value: node=c", fixture.graph(other), Map.of(other.node(), c.node()));
    assertFault("an output has another value", fixture.graph(b), Map.of());
  }

  @Test
  void findsARecomputationOfAStepThatRunsOnce() {
    NodeEntry again = fixture.apply("b/again1", "Neg", flat);
    NodeEntry other = fixture.apply("c", "Sub", flat, again);
    assertFault("runs again", fixture.graph(other, b), Map.of(again.node(), b.node(), other.node(), c.node()));
  }

  @Test
  void findsASecondAssignAndALostOne() {
    NodeEntry second = fixture.assign("assigned/again1", assigned, assigned.node().inputs().get(1));
    assertFault("runs again: node=assigned/again1", fixture.graph(c), Map.of(second.node(), assigned.node()));
    assertFault("an assign is lost: node=assigned", new Graph("test", graph.inputs(), graph.outputs()), Map.of());
  }

  @Test
  void findsAnotherKernel() {
    assertThatThrownBy(() -> ValueNumbers.requireEqual(new ValueNumbers.Judged(graph, node -> "portable"),
      new ValueNumbers.Judged(graph, node -> "vector"), node -> node, node -> false))
      .isInstanceOf(IllegalStateException.class).hasMessageContaining("computes another value: node=a");
  }
}
