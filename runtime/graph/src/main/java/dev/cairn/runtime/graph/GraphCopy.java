package dev.cairn.runtime.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Copies the nodes of a body into the graph around it, or into another body. */
public final class GraphCopy {
  private GraphCopy() {}

  /**
   * The body's results, computed by copies of its nodes.
   *
   * @param arguments one for each parameter of the body
   * @param names gives each copy its name
   * @return one entry for each output of the body
   */
  public static List<NodeEntry> of(Graph body, List<NodeEntry> arguments, UnaryOperator<String> names) {
    Map<Node, List<NodeEntry>> copies = new HashMap<>();
    for (int i = 0; i < body.inputs().size(); i++) {
      copies.put(body.inputs().get(i), List.of(arguments.get(i)));
    }
    for (Node node : body.nodes()) {
      copies.computeIfAbsent(node, it -> GraphRewriter.entries(copy(it, copies, names)));
    }
    return body.outputs().stream().map(output -> copied(output.entry(), copies)).toList();
  }

  private static Node copy(Node node, Map<Node, List<NodeEntry>> copies, UnaryOperator<String> names) {
    List<NodeEntry> inputs = new ArrayList<>();
    node.inputs().forEach(input -> inputs.add(copied(input, copies)));
    String name = names.apply(node.name());
    Node copy = switch (node.kind()) {
      case NodeKind.Apply kind -> Node.apply(name, kind, inputs);
      case NodeKind.Control kind -> Node.control(name, kind, inputs);
      case NodeKind.Constant(var value) -> Node.constant(name, value);
      case NodeKind.Deferred(var source) -> Node.deferred(name, source);
      case NodeKind.Input input -> throw unexpected(node);
      case NodeKind.Parameter parameter -> throw unexpected(node);
      case NodeKind.Variable variable -> throw unexpected(node);
      case NodeKind.Assign assign -> throw unexpected(node);
      case NodeKind.Absent absent -> throw unexpected(node);
    };
    return node.notes().isEmpty() ? copy : copy.withNotes(node.notes());
  }

  private static AssertionError unexpected(Node node) {
    return new AssertionError("no such node in a body: node=" + node);
  }

  private static NodeEntry copied(NodeEntry entry, Map<Node, List<NodeEntry>> copies) {
    return entry.isAbsent() ? entry : copies.getOrDefault(entry.node(), List.of()).get(entry.index());
  }
}
