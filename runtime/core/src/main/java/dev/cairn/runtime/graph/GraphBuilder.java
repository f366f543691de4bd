package dev.cairn.runtime.graph;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Composes a graph in Java. Nodes get unique names from the scope they are made in and their operator:
 *
 * <pre>
 * var graph = new GraphBuilder("classifier");
 * NodeEntry x = graph.input("x", TensorType.of(DType.FLOAT32, 1, 3));
 * GraphBuilder head = graph.within("head");
 * NodeEntry y = head.apply("MatMul", x, head.constant("weight", weight));   // head/MatMul, head/weight
 * graph.output("logits", head.apply("Relu", y));                            // head/Relu
 * return graph.build();
 * </pre>
 *
 * Operators and types are not checked here but when types are inferred. Not thread-safe.
 */
public final class GraphBuilder {
  private final Parts parts;
  private final String scope;

  /** What all scopes of one graph share; {@code variables} has names of variables by their nodes and assigns. */
  private record Parts(String name, NodeNames names, List<Node> inputs, List<Graph.Output> outputs,
    List<Node> assigns, Map<Node, String> variables) {}

  /** @param name the graph's name */
  public GraphBuilder(String name) {
    this(new Parts(name, new NodeNames(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
      new HashMap<>()), "");
  }

  private GraphBuilder(Parts parts, String scope) {
    this.parts = parts;
    this.scope = scope;
  }

  /** The same graph, seen from a scope below this one: names of nodes made through it begin with {@code scope/}. */
  public GraphBuilder within(String inner) {
    return new GraphBuilder(parts, scope + inner + "/");
  }

  /**
   * An input that the caller of the model names, so it is in no scope.
   *
   * @throws IllegalArgumentException when a node has that name
   */
  public NodeEntry input(String name, DeclaredType type) {
    if (!parts.names.take(name)) {
      throw new IllegalArgumentException("a node has this name: input=" + name);
    }
    Node node = Node.input(name, type);
    parts.inputs.add(node);
    return node.entry();
  }

  /** An input with every extent fixed. */
  public NodeEntry input(String name, TensorType type) {
    return input(name, DeclaredType.of(type));
  }

  /** A constant; its bytes are not copied and must outlive the graph. */
  public NodeEntry constant(String name, TensorView value) {
    return Node.constant(parts.names.unique(scope + name), value).entry();
  }

  /**
   * A variable, whose value outlives a run. Its entry means the value with which a run begins; what an {@link #assign}
   * makes of it has an entry of its own.
   *
   * @param name within this scope
   * @param initial the value before anything is assigned; its bytes are not copied and must outlive the graph
   * @throws IllegalArgumentException when a node has that name
   */
  public NodeEntry variable(String name, TensorView initial) {
    if (!parts.names.take(scope + name)) {
      throw new IllegalArgumentException("a node has this name: variable=" + scope + name);
    }
    Node node = Node.variable(scope + name, initial);
    parts.variables.put(node, node.name());
    return node.entry();
  }

  /**
   * Gives a variable another value in each run, whether or not an output of the graph needs it.
   *
   * @param variable the variable, or the result of the assign to it that comes before this one
   * @return the new value; {@code variable} goes on meaning the old one
   * @throws IllegalArgumentException when the first is neither, or another builder's
   */
  public NodeEntry assign(NodeEntry variable, NodeEntry value) {
    String name = parts.variables.get(variable.node());
    if (name == null) {
      throw new IllegalArgumentException("neither a variable of this graph nor an assign to one: node=" + variable);
    }
    Node assign = Node.assign(parts.names.unique(name + "/assign"), List.of(variable, value));
    parts.assigns.add(assign);
    parts.variables.put(assign, name);
    return assign.entry();
  }

  /** One use of an operator without attributes and with one result. */
  public NodeEntry apply(String operator, NodeEntry... inputs) {
    return apply(operator, Attributes.NONE, inputs);
  }

  /** One use of an operator with one result; {@link Node#absent()} stands for an optional input that is left out. */
  public NodeEntry apply(String operator, Attributes attributes, NodeEntry... inputs) {
    return applyForAll(operator, attributes, 1, inputs).get(0);
  }

  /** One use of an operator with several results. */
  public List<NodeEntry> applyForAll(String operator, Attributes attributes, int outputs, NodeEntry... inputs) {
    var kind = new NodeKind.Apply(operator, attributes, outputs);
    return GraphRewriter.entries(Node.apply(parts.names.unique(scope + operator), kind, withoutTrailingAbsent(inputs)));
  }

  private static List<NodeEntry> withoutTrailingAbsent(NodeEntry... inputs) {
    int count = inputs.length;
    while (count > 0 && inputs[count - 1].isAbsent()) {
      count--;
    }
    return List.of(inputs).subList(0, count);
  }

  /** Makes an entry a result of the graph, under the name by which the caller asks for it. */
  public void output(String name, NodeEntry entry) {
    parts.outputs.add(new Graph.Output(name, entry));
  }

  /**
   * The graph so far. Building goes on where it was: nodes may be added and another graph built.
   *
   * @throws InvalidGraph when there is neither output nor assign, two outputs have one name, a node of another graph
   *   was used, or a variable's value is assigned over twice
   */
  public Graph build() {
    return new Graph(parts.name, parts.inputs, parts.outputs, parts.assigns);
  }
}
