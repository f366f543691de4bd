package dev.cairn.runtime.graph;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds small graphs for tests, every node under the name that the test gives it:
 *
 * <pre>
 * var fixture = new GraphFixture();
 * NodeEntry x = fixture.input("x", "float32[2x3]");
 * NodeEntry y = fixture.apply("y", "Transpose{perm=[1,0]}", x);
 * Graph graph = fixture.graph(y);
 * </pre>
 */
public final class GraphFixture {
  private final List<Node> inputs = new ArrayList<>();
  private final List<Node> assigns = new ArrayList<>();

  /** @param declared in {@link Notation}, such as {@code float32[batchx3]} */
  public NodeEntry input(String name, String declared) {
    Node node = Node.input(name, Notation.declaredType(declared));
    inputs.add(node);
    return node.entry();
  }

  public NodeEntry constant(String name, TensorView value) {
    return Node.constant(name, value).entry();
  }

  public NodeEntry variable(String name, TensorView initial) {
    return Node.variable(name, initial).entry();
  }

  /** An assign that every graph made from now on has. */
  public NodeEntry assign(String name, NodeEntry variable, NodeEntry value) {
    assigns.add(Node.assign(name, List.of(variable, value)));
    return assigns.getLast().entry();
  }

  /** A list of {@code int64}, such as axes. */
  public NodeEntry longs(String name, long... values) {
    return constant(name, TensorView.ofLongs(values));
  }

  /** @param use an operator's name, and its attributes in {@link Notation}: {@code Concat{axis=1}} */
  public NodeEntry apply(String name, String use, NodeEntry... reads) {
    return applyForAll(name, use, 1, reads).get(0);
  }

  /** Like {@link #apply}, with all of its results. */
  public List<NodeEntry> applyForAll(String name, String use, int outputs, NodeEntry... reads) {
    int brace = use.indexOf('{');
    String operator = brace < 0 ? use : use.substring(0, brace);
    Attributes attributes = Notation.attributes(brace < 0 ? "" : use.substring(brace));
    var kind = new NodeKind.Apply(operator, attributes, outputs);
    return Node.apply(name, kind, List.of(reads)).entries();
  }

  /**
   * A chain {@code first, first1, ...} of uses of an operator, each of which reads the one before in all its places.
   */
  public NodeEntry chain(String first, String use, int length, int places, NodeEntry start) {
    NodeEntry entry = start;
    for (int i = 0; i < length; i++) {
      var reads = new NodeEntry[places];
      Arrays.fill(reads, entry);
      entry = apply(first + i, use, reads);
    }
    return entry;
  }

  /** A graph of all inputs so far; its outputs have the entries' own names. */
  public Graph graph(NodeEntry... outputs) {
    return new Graph("test", inputs, Arrays.stream(outputs).map(o -> new Graph.Output(o.toString(), o)).toList(),
      assigns);
  }

  /** The types of a graph's inputs, which must declare every extent. */
  public static Map<String, TensorType> inputTypes(Graph graph) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    for (Node input : graph.inputs()) {
      if (input.kind() instanceof NodeKind.Input(DeclaredType declared)) {
        types.put(input.name(), declared.known().orElseThrow());
      }
    }
    return types;
  }
}
