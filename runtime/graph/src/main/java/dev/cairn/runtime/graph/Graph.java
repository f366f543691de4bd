package dev.cairn.runtime.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A dataflow graph: named inputs, named outputs, assigns to variables, and every node that outputs and assigns need.
 * The node order is fixed: each node comes after the nodes that it reads. Immutable. A graph keeps unused inputs, so
 * that passes preserve the model's signature.
 *
 * <p>An entry stands for one value during a run, so the order does not affect the results, not even with assigns: the
 * variable's entry is the old value, the assign's entry the new one. To save memory, the order places readers of an old
 * value before the assign if it can ({@link AssignOrder}).
 */
public final class Graph {
  private final String name;
  private final List<Node> inputs;
  private final List<Output> outputs;
  private final List<Node> nodes;
  private final List<Node> assigns;

  /**
   * A named output of the graph.
   *
   * @param declared the type that the model's file declares, if any; Cairn computes with the inferred one
   */
  public record Output(String name, NodeEntry entry, Optional<DeclaredType> declared) {
    public Output(String name, NodeEntry entry) {
      this(name, entry, Optional.empty());
    }
  }

  /**
   * @param inputs nodes of kind {@link NodeKind.Input}, in the model's order
   * @throws InvalidGraph when it breaks one of the rules of {@link GraphValidator}
   */
  public Graph(String name, List<Node> inputs, List<Output> outputs) {
    this(name, inputs, outputs, List.of());
  }

  /**
   * @param inputs nodes of kind {@link NodeKind.Input}, in the model's order
   * @param assigns nodes of kind {@link NodeKind.Assign} that the graph keeps even if no output needs them
   * @throws InvalidGraph when it breaks one of the rules of {@link GraphValidator}
   */
  public Graph(String name, List<Node> inputs, List<Output> outputs, List<Node> assigns) {
    this.name = name;
    this.inputs = List.copyOf(inputs);
    this.outputs = List.copyOf(outputs);
    List<Node> roots = Stream.concat(outputs.stream().map(output -> output.entry().node()), assigns.stream()).toList();
    this.nodes = AssignOrder.applied(DepthFirstOrder.of(this.inputs, roots));
    this.assigns = allAssigns(nodes, assigns);
    GraphValidator.validate(this);
  }

  /** The declared assigns in their order, then further assigns that outputs need. */
  private static List<Node> allAssigns(List<Node> nodes, List<Node> declared) {
    return Stream.concat(declared.stream(), nodes.stream().filter(node -> node.kind() instanceof NodeKind.Assign))
      .distinct().toList();
  }

  private Graph(Graph other, List<Node> nodes) {
    this.name = other.name;
    this.inputs = other.inputs;
    this.outputs = other.outputs;
    this.nodes = List.copyOf(nodes);
    this.assigns = allAssigns(nodes, other.assigns);
    GraphValidator.validate(this);
  }

  public String name() {
    return name;
  }

  public List<Node> inputs() {
    return inputs;
  }

  public List<Output> outputs() {
    return outputs;
  }

  /** All nodes, inputs first; each after the nodes that it reads. The order is deterministic. */
  public List<Node> nodes() {
    return nodes;
  }

  /** All assigns to variables, in the order of declaration. Each run executes all of them. */
  public List<Node> assigns() {
    return assigns;
  }

  /** The variables that the graph reads or assigns, in order. */
  public List<Node> variables() {
    return nodes.stream().filter(node -> node.kind() instanceof NodeKind.Variable).toList();
  }

  /** The notes of all nodes that have some, by the node's name. */
  public Map<String, Notes> notes() {
    Map<String, Notes> notes = new HashMap<>();
    for (Node node : nodes) {
      if (!node.notes().isEmpty()) {
        notes.put(node.name(), node.notes());
      }
    }
    return notes;
  }

  /**
   * This graph with more notes on some nodes; they win over the nodes' own.
   *
   * @param added by the node's name
   * @throws IllegalArgumentException when no node has such a name
   */
  public Graph withNotes(Map<String, Notes> added) {
    Map<String, Notes> all = notes();
    Map<String, Node> known = new HashMap<>();
    nodes.forEach(node -> known.put(node.name(), node));
    added.forEach((node, more) -> {
      if (!known.containsKey(node)) {
        throw new IllegalArgumentException("no node has this name: node=%s graph=%s".formatted(node, name));
      }
      all.merge(node, more, Notes::withAll);
    });
    return noted(all);
  }

  /** This graph with these notes on the nodes of these names, as far as there are such nodes. */
  Graph noted(Map<String, Notes> wanted) {
    if (wanted.isEmpty() || nodes.stream().allMatch(it -> it.notes().equals(wanted.getOrDefault(it.name(), it
      .notes())))) {
      return this;
    }
    Map<Node, List<NodeEntry>> places = new HashMap<>();
    for (Node node : nodes) {
      Node moved = node.over(places);
      Notes notes = wanted.getOrDefault(node.name(), node.notes());
      places.put(node, (moved.notes().equals(notes) ? moved : moved.withNotes(notes)).entries());
    }
    return with(inputs.stream().map(it -> it.entry().in(places).node()).toList(), outputs.stream().map(it -> new Output(
      it.name(), it.entry().in(places))).toList(), assigns.stream().map(it -> it.entry().in(places).node()).toList());
  }

  /** This graph with other outputs and the same assigns, without nodes that only the old outputs needed. */
  public Graph withOutputs(List<Output> others) {
    return with(inputs, others, assigns);
  }

  Graph with(List<Node> otherInputs, List<Output> others, List<Node> otherAssigns) {
    return new Graph(name, otherInputs, others, otherAssigns);
  }

  /**
   * This graph with its nodes in another order. Graphs that a pass derives from it have the usual order again.
   *
   * @throws IllegalArgumentException when {@code order} is not exactly this graph's nodes, inputs first
   * @throws InvalidGraph when a node comes before one that it reads
   */
  public Graph inOrder(List<Node> order) {
    boolean same = order.size() == nodes.size() && new HashSet<>(order).equals(new HashSet<>(nodes))
      && order.subList(0, inputs.size()).equals(inputs);
    if (!same) {
      throw new IllegalArgumentException(
        "not the nodes of the graph, inputs first: graph=%s nodes=%d given=%d".formatted(
          name, nodes.size(), order.size()));
    }
    return new Graph(this, order);
  }

  /** The text form of {@link GraphText}. */
  @Override
  public String toString() {
    return GraphText.of(this);
  }
}
