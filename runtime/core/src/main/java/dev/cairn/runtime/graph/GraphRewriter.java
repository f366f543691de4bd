package dev.cairn.runtime.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Rewrites a graph. It walks the nodes in order and lets a rule replace each node. The new graph shares unchanged nodes
 * with the old one, and omits nodes without readers.
 */
public final class GraphRewriter {

  /** Replaces a node. */
  @FunctionalInterface
  public interface Rule {
    /**
     * @param old the node of the old graph, the key for facts about it
     * @param current the same node with rewritten inputs; return its entries to keep it
     * @return one entry for each result of the node
     */
    List<NodeEntry> rewrite(Node old, Node current);
  }

  private GraphRewriter() {}

  /**
   * The graph after one walk with this rule. The rule does not see inputs and variables, and may replace an assign only
   * by an assign.
   */
  public static Graph rewrite(Graph graph, Rule rule) {
    return rewrite(graph, Map.of(), rule);
  }

  /**
   * The graph in which nodes read these entries instead of inputs. The inputs stay declared, so the graph is called as
   * before.
   *
   * @param places by input
   */
  public static Graph substitute(Graph graph, Map<Node, NodeEntry> places) {
    return rewrite(graph, places, (_, current) -> entries(current));
  }

  private static Graph rewrite(Graph graph, Map<Node, NodeEntry> inputs, Rule rule) {
    Map<Node, List<NodeEntry>> places = new HashMap<>();
    boolean changed = false;
    for (Node node : graph.nodes()) {
      List<NodeEntry> place = isNamedByUsers(node)
        ? List.of(inputs.getOrDefault(node, node.entry()))
        : place(node, places, rule);
      changed |= !place.equals(entries(node));
      places.put(node, place);
    }
    if (!changed) {
      return graph;
    }
    var outputs = graph.outputs().stream().map(o -> new Graph.Output(o.name(), moved(o.entry(), places))).toList();
    List<Node> assigns = graph.assigns().stream().map(it -> moved(it.entry(), places).node()).toList();
    return graph.with(outputs, assigns);
  }

  private static boolean isNamedByUsers(Node node) {
    return isPassed(node) || node.kind() instanceof NodeKind.Variable;
  }

  private static boolean isPassed(Node node) {
    return node.kind() instanceof NodeKind.Input || node.kind() instanceof NodeKind.Parameter;
  }

  private static List<NodeEntry> place(Node node, Map<Node, List<NodeEntry>> places, Rule rule) {
    List<NodeEntry> inputs = node.inputs().stream().map(entry -> moved(entry, places)).toList();
    Node current = switch (node.kind()) {
      case NodeKind.Apply kind when !inputs.equals(node.inputs()) -> Node.apply(node.name(), kind, inputs);
      case NodeKind.Control kind when !inputs.equals(node.inputs()) -> Node.control(node.name(), kind, inputs);
      case NodeKind.Assign kind when !inputs.equals(node.inputs()) -> Node.assign(node.name(), inputs);
      default -> node;
    };
    List<NodeEntry> place = rule.rewrite(node, current);
    if (place.size() != node.kind().outputs()) {
      throw new AssertionError("one entry a result: node=%s given=%d".formatted(node.name(), place.size()));
    }
    if (node.kind() instanceof NodeKind.Assign && !(place.get(0).node().kind() instanceof NodeKind.Assign)) {
      throw new AssertionError("an assign is lost: node=%s given=%s".formatted(node.name(), place));
    }
    return place;
  }

  private static NodeEntry moved(NodeEntry entry, Map<Node, List<NodeEntry>> places) {
    List<NodeEntry> place = places.get(entry.node());
    return place == null ? entry : place.get(entry.index());
  }

  /** All results of a node; a rule returns them to keep the node. */
  public static List<NodeEntry> entries(Node node) {
    return IntStream.range(0, node.kind().outputs()).mapToObj(node::entry).toList();
  }
}
