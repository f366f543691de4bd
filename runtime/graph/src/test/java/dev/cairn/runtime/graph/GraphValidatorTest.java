package dev.cairn.runtime.graph;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Each rule broken once, by a graph that is otherwise sound. G3 (order) cannot be broken from outside: a node is made
 * after its inputs, and the graph makes the order itself; {@link GraphTest} checks that order instead.
 */
class GraphValidatorTest {
  private final Node x = Node.input("x", Notation.declaredType("float32[2]"));
  private final GraphFixture fixture = new GraphFixture();

  @Test
  void g1AnInputThatIsReadMustBeDeclared() {
    NodeEntry y = fixture.apply("y", "Relu", x.entry());
    assertInvalid("G1 inputs: read but not declared: node=x", List.of(), y);
  }

  @Test
  void g1AnInputIsDeclaredOnce() {
    assertInvalid("G1 inputs: not an input, or declared twice: node=x", List.of(x, x), x.entry());
  }

  @Test
  void g1OnlyInputNodesAreInputs() {
    Node constant = fixture.longs("c", 1).node();
    assertInvalid("G1 inputs: not an input, or declared twice: node=c", List.of(constant), constant.entry());
  }

  @Test
  void g2NoTwoNodesHaveTheSameName() {
    NodeEntry y = fixture.apply("y", "Relu", fixture.apply("y", "Neg", x.entry()));
    assertInvalid("G2 names: two nodes have the same name: node=y", List.of(x), y);
    assertInvalid("G2 names: two nodes have the same name: node=x", List.of(x), fixture.apply("x", "Neg", x.entry()));
  }

  @Test
  void g2NoTwoOutputsHaveTheSameName() {
    assertInvalid("G2 names: two outputs have the same name: node=x", List.of(x), x.entry(), x.entry());
  }

  @Test
  void g4ThereIsAnOutput() {
    assertInvalid("G4 outputs: a graph needs an output or an assign: node=test", List.of(x));
  }

  @Test
  void g4AnOutputIsNotAbsent() {
    assertInvalid("G4 outputs: an output is absent: node=absent", List.of(x), Node.absent());
  }

  @Test
  void g5AnAssignIsToAVariable() {
    NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(1), 1));
    NodeEntry copy = fixture.apply("copy", "Identity", w);
    assertInvalidAssign("G5 assigns: neither a variable nor an assign to one: input=copy: node=a",
      Node.assign("a", List.of(copy, w)));
    assertInvalidAssign("G5 assigns: neither a variable nor an assign to one: input=absent: node=a",
      Node.assign("a", List.of(Node.absent(), w)));
    assertInvalidAssign("G5 assigns: not an assign of a value to a variable: operator=assign inputs=1: node=a",
      Node.assign("a", List.of(w)));
    assertInvalidAssign("G5 assigns: not an assign of a value to a variable: operator=assign inputs=0: node=a",
      Node.assign("a", List.of()));
    assertInvalidAssign("G5 assigns: not an assign of a value to a variable: operator=assign inputs=2: node=a",
      Node.assign("a", List.of(w, Node.absent())));
    assertInvalidAssign("G5 assigns: not an assign of a value to a variable: operator=Identity inputs=1: node=copy",
      copy.node());
  }

  @Test
  void g5AValueIsAssignedOverOnce() {
    NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(1), 1));
    Node a = Node.assign("a", List.of(w, x.entry()));
    Node b = Node.assign("b", List.of(w, x.entry()));
    assertInvalidAssign(
      "G5 assigns: two assigns replace the same value, so their order is unknown: input=w other=a: node=b", a, b);
    new Graph("test", List.of(x), List.of(), List.of(a, Node.assign("b", List.of(a.entry(), x.entry()))));
  }

  private void assertInvalidAssign(String message, Node... assigns) {
    assertThatThrownBy(() -> new Graph("test", List.of(x), List.of(), List.of(assigns)))
      .isInstanceOf(InvalidGraph.class).hasMessage(message);
  }

  private static void assertInvalid(String message, List<Node> inputs, NodeEntry... outputs) {
    List<Graph.Output> named = List.of(outputs).stream().map(o -> new Graph.Output(o.toString(), o)).toList();
    assertThatThrownBy(() -> new Graph("test", inputs, named)).isInstanceOf(InvalidGraph.class).hasMessage(message)
      .extracting(error -> ((InvalidGraph) error).node()).isEqualTo(message.substring(message.indexOf("node=") + 5));
  }
}
