package dev.cairn.runtime.graph;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Builds a graph in Java. Each node gets a unique name from its scope and its operator:
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
 * The builder does not check operators and types; type inference does. Not thread-safe.
 */
public final class GraphBuilder {
  private final Parts parts;
  private final String scope;
  private final Notes notes;

  /**
   * State that all scopes of one graph share; {@code variables} maps variable nodes and their assigns to variable
   * names.
   */
  private record Parts(String name, NodeNames names, List<Node> inputs, List<Graph.Output> outputs,
    List<Node> assigns, Map<Node, String> variables) {}

  /** @param name the graph's name */
  public GraphBuilder(String name) {
    this(new Parts(name, new NodeNames(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
      new HashMap<>()), "", Notes.NONE);
  }

  private GraphBuilder(Parts parts, String scope, Notes notes) {
    this.parts = parts;
    this.scope = scope;
    this.notes = notes;
  }

  /**
   * A builder that begins with all nodes of a graph, and adds to it. The names of the entries given besides are taken,
   * too.
   *
   * @param more entries over the graph's nodes that the graph itself does not need yet
   */
  public static GraphBuilder extending(Graph graph, Collection<NodeEntry> more) {
    var names = NodeNames.of(graph);
    DepthFirstOrder.of(more.stream().map(NodeEntry::node).toList()).forEach(node -> names.take(node.name()));
    Map<Node, String> variables = new HashMap<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Variable) {
        variables.put(node, node.name());
      } else if (node.kind() instanceof NodeKind.Assign) {
        variables.put(node, Objects.requireNonNull(variables.get(node.inputs().getFirst().node())));
      }
    }
    return new GraphBuilder(new Parts(graph.name(), names, new ArrayList<>(graph.inputs()), new ArrayList<>(graph
      .outputs()), new ArrayList<>(graph.assigns()), variables), "", Notes.NONE);
  }

  /** A builder of the same graph in an inner scope: the names of its nodes begin with {@code scope/}. */
  public GraphBuilder within(String inner) {
    return new GraphBuilder(parts, scope + inner + "/", notes);
  }

  /**
   * A builder of the same graph that gives this note to the operators that it applies, for example {@link
   * Notes#REPEAT}.
   */
  public GraphBuilder noting(String note, String value) {
    return new GraphBuilder(parts, scope, notes.with(note, value));
  }

  /**
   * An input of the model. Its name gets no scope prefix.
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

  /** An input with fixed extents. */
  public NodeEntry input(String name, TensorType type) {
    return input(name, DeclaredType.of(type));
  }

  /** A constant. Its bytes are not copied and must outlive the graph. */
  public NodeEntry constant(String name, TensorView value) {
    return Node.constant(parts.names.unique(scope + name), value).entry();
  }

  /**
   * A variable, which keeps its value between runs. Its entry is the value at the start of a run; each {@link #assign}
   * returns an entry for the new value.
   *
   * @param name within this scope
   * @param initial the value before the first assign; its bytes are not copied and must outlive the graph
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
   * Assigns a new value to a variable in each run, even if no output needs it.
   *
   * @param variable the variable, or the result of the previous assign to it
   * @return the new value; {@code variable} still stands for the old one
   * @throws IllegalArgumentException when {@code variable} is neither, or belongs to another builder
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

  /** Applies an operator that has no attributes and one result. */
  public NodeEntry apply(String operator, NodeEntry... inputs) {
    return apply(operator, Attributes.NONE, inputs);
  }

  /** Applies an operator with one result. Pass {@link Node#absent()} for an omitted optional input. */
  public NodeEntry apply(String operator, Attributes attributes, NodeEntry... inputs) {
    return applyForAll(operator, attributes, 1, inputs).get(0);
  }

  /** Applies an operator with several results. */
  public List<NodeEntry> applyForAll(String operator, Attributes attributes, int outputs, NodeEntry... inputs) {
    var kind = new NodeKind.Apply(operator, attributes, outputs);
    Node node = Node.apply(parts.names.unique(scope + operator), kind, withoutTrailingAbsent(inputs));
    return (notes.isEmpty() ? node : node.withNotes(notes)).entries();
  }

  private static List<NodeEntry> withoutTrailingAbsent(NodeEntry... inputs) {
    int count = inputs.length;
    while (count > 0 && inputs[count - 1].isAbsent()) {
      count--;
    }
    return List.of(inputs).subList(0, count);
  }

  /** Adds an output to the graph. */
  public void output(String name, NodeEntry entry) {
    parts.outputs.add(new Graph.Output(name, entry));
  }

  /**
   * Builds the graph from the nodes so far. You may add nodes and build again.
   *
   * @throws InvalidGraph when there is neither an output nor an assign, two outputs share a name, a node belongs to
   *   another graph, or two assigns replace the same value of a variable
   */
  public Graph build() {
    return new Graph(parts.name, parts.inputs, parts.outputs, parts.assigns);
  }
}
