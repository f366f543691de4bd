package dev.cairn.runtime.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Named inputs, named outputs, and every node that the outputs need, in a fixed order in which each node comes after
 * what it reads. Immutable. Inputs are part of a graph even when nothing reads them, so that a model's signature
 * outlives every pass.
 */
public final class Graph {
  private final String name;
  private final List<Node> inputs;
  private final List<Output> outputs;
  private final List<Node> nodes;

  /** A result of the whole graph, under the name by which the caller asks for it. */
  public record Output(String name, NodeEntry entry) {}

  /**
   * @param inputs nodes of kind {@link NodeKind.Input}, in the model's order
   * @throws InvalidGraph when it breaks one of the rules of {@link GraphValidator}
   */
  public Graph(String name, List<Node> inputs, List<Output> outputs) {
    this.name = name;
    this.inputs = List.copyOf(inputs);
    this.outputs = List.copyOf(outputs);
    this.nodes = inOrder(this.inputs, this.outputs);
    GraphValidator.validate(this);
  }

  private Graph(Graph other, List<Node> nodes) {
    this.name = other.name;
    this.inputs = other.inputs;
    this.outputs = other.outputs;
    this.nodes = List.copyOf(nodes);
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

  /** All nodes, inputs first; each after what it reads. The same graph always has the same order. */
  public List<Node> nodes() {
    return nodes;
  }

  /** This graph with other outputs, and without what only the old ones needed. */
  public Graph withOutputs(List<Output> others) {
    return new Graph(name, inputs, others);
  }

  /**
   * This graph with its nodes in another order. Graphs made from that one by a pass have the usual order again.
   *
   * @throws IllegalArgumentException when they are not this graph's nodes, inputs first
   * @throws InvalidGraph when a node comes before one that it reads
   */
  public Graph inOrder(List<Node> order) {
    boolean same = order.size() == nodes.size() && new HashSet<>(order).equals(new HashSet<>(nodes))
      && order.subList(0, inputs.size()).equals(inputs);
    if (!same) {
      throw new IllegalArgumentException("not the nodes of the graph, inputs first: graph=%s nodes=%d given=%d".formatted(
        name, nodes.size(), order.size()));
    }
    return new Graph(this, order);
  }

  /** Depth first from the outputs, without recursion: a chain of 100,000 nodes must not overflow the stack. */
  private static List<Node> inOrder(List<Node> inputs, List<Output> outputs) {
    Set<Node> begun = new HashSet<>();
    Set<Node> ended = new HashSet<>();
    var order = new ArrayList<Node>();
    for (Node input : inputs) {
      if (ended.add(input)) {
        order.add(input);
      }
    }
    var stack = new ArrayDeque<Node>();
    for (Output output : outputs) {
      stack.push(output.entry().node());
      while (!stack.isEmpty()) {
        Node node = stack.peek();
        if (begun.add(node)) {
          pushInputs(node, begun, stack);
        } else {
          stack.pop();
          if (ended.add(node) && !(node.kind() instanceof NodeKind.Absent)) {
            order.add(node);
          }
        }
      }
    }
    return List.copyOf(order);
  }

  private static void pushInputs(Node node, Set<Node> begun, ArrayDeque<Node> stack) {
    List<NodeEntry> inputs = node.inputs();
    for (int i = inputs.size() - 1; i >= 0; i--) {
      if (!begun.contains(inputs.get(i).node())) {
        stack.push(inputs.get(i).node());
      }
    }
  }

  /** The text form of {@link GraphText}. */
  @Override
  public String toString() {
    return GraphText.of(this);
  }
}
