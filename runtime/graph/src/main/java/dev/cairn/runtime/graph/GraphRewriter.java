package dev.cairn.runtime.graph;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
     * @param current the same node with rewritten inputs; return its {@link Node#entries} to keep it
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
   * The graph in which nodes read these entries instead of inputs, constants or variables. The graph still declares the
   * inputs, so it is called as before. Inputs that the entries bring with them come after those.
   *
   * @param places by input, constant or variable; entries are read as they are
   * @throws IllegalArgumentException when a node to replace is of another kind
   * @throws InvalidGraph when two nodes would have the same name, or an assign loses its variable
   */
  public static Graph substitute(Graph graph, Map<Node, NodeEntry> places) {
    places.keySet().forEach(GraphRewriter::requireReplaceable);
    return rewrite(graph, places, (_, current) -> current.entries());
  }

  /**
   * The same entries over nodes that read other entries instead of inputs, constants or variables. No rule for names
   * applies: a graph checks them when it is made of the entries.
   *
   * @param places by input, constant or variable; entries are read as they are
   * @throws IllegalArgumentException when a node to replace is of another kind
   */
  public static List<NodeEntry> substitute(List<NodeEntry> roots, Map<Node, NodeEntry> places) {
    places.keySet().forEach(GraphRewriter::requireReplaceable);
    Map<Node, List<NodeEntry>> moved = new HashMap<>();
    for (Node node : DepthFirstOrder.of(roots.stream().map(NodeEntry::node).toList())) {
      NodeEntry place = places.get(node);
      moved.put(node, place == null ? node.over(moved).entries() : List.of(place));
    }
    return roots.stream().map(root -> root.in(moved)).toList();
  }

  private static void requireReplaceable(Node node) {
    switch (node.kind()) {
      case NodeKind.Input _,NodeKind.Constant _,NodeKind.Deferred _,NodeKind.Variable _ -> {}
      default -> throw new IllegalArgumentException(
        "only inputs, constants and variables can be replaced: node=" + node);
    }
  }

  private static Graph rewrite(Graph graph, Map<Node, NodeEntry> given, Rule rule) {
    Map<Node, List<NodeEntry>> places = new HashMap<>();
    boolean changed = false;
    for (Node node : graph.nodes()) {
      NodeEntry other = given.get(node);
      List<NodeEntry> place;
      if (other != null) {
        place = List.of(other);
      } else {
        place = isNamedByUsers(node) ? node.entries() : place(node, places, rule);
      }
      changed |= !place.equals(node.entries());
      places.put(node, place);
    }
    if (!changed) {
      return graph;
    }
    var outputs = graph.outputs().stream().map(o -> new Graph.Output(o.name(), o.entry().in(places))).toList();
    List<Node> assigns = graph.assigns().stream().map(it -> it.entry().in(places).node()).toList();
    return graph.with(withInputsOf(given.values(), graph.inputs()), outputs, assigns).noted(graph.notes());
  }

  private static List<Node> withInputsOf(Collection<NodeEntry> entries, List<Node> inputs) {
    Set<Node> all = new LinkedHashSet<>(inputs);
    DepthFirstOrder.of(entries.stream().map(NodeEntry::node).toList()).stream().filter(
      node -> node.kind() instanceof NodeKind.Input).forEach(all::add);
    return List.copyOf(all);
  }

  private static boolean isNamedByUsers(Node node) {
    return node.kind() instanceof NodeKind.Input || node.kind() instanceof NodeKind.Parameter || node
      .kind() instanceof NodeKind.Variable;
  }

  private static List<NodeEntry> place(Node node, Map<Node, List<NodeEntry>> places, Rule rule) {
    Node current = node.over(places);
    List<NodeEntry> place = rule.rewrite(node, current);
    if (place.size() != node.kind().outputs()) {
      throw new AssertionError("one entry a result: node=%s given=%d".formatted(node.name(), place.size()));
    }
    if (node.kind() instanceof NodeKind.Assign && !(place.get(0).node().kind() instanceof NodeKind.Assign)) {
      throw new AssertionError("an assign is lost: node=%s given=%s".formatted(node.name(), place));
    }
    return place;
  }
}
