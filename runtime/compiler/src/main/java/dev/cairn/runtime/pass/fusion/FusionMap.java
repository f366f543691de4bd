package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.attribute.FusedNodes;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where nodes of the graph before fusion are in the fused graph: for profiles, comparisons, messages. Immutable. */
public final class FusionMap {
  private final Map<String, Node> nodes = new LinkedHashMap<>();

  private FusionMap() {}

  /** Makes the map of a graph after all passes. */
  public static FusionMap of(Graph graph) {
    var map = new FusionMap();
    graph.nodes().forEach(node -> nodesOf(node).forEach(name -> map.nodes.put(name, node)));
    return map;
  }

  static boolean isFused(Node node) {
    return node.operator().equals(PointwiseProgram.OPERATOR) || node.operator().equals(FusedProduct.OPERATOR);
  }

  /**
   * The names of the nodes from which a fused node's program was made, in the order of its steps. For a product with an
   * epilogue, the product's name is missing.
   */
  static List<String> stepsOf(Node node) {
    List<String> names = nodesOf(node);
    return node.operator().equals(FusedProduct.OPERATOR) ? names.subList(1, names.size()) : names;
  }

  /** The names of the nodes that a node stands for, in their order; only its own name if fusion did not make it. */
  public static List<String> nodesOf(Node node) {
    List<String> names = isFused(node) ? FusedNodes.of(node.kind().attributes()).names() : List.of();
    return names.isEmpty() ? List.of(node.name()) : names;
  }

  /** The node that computes the value of the node of this name; empty when there was none. */
  public Optional<Node> find(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  /** The entry that is the first result of the node of this name; empty when nothing outside its group reads it. */
  public Optional<NodeEntry> entry(String name) {
    Node node = nodes.get(name);
    if (node == null) {
      return Optional.empty();
    }
    if (!isFused(node)) {
      return Optional.of(node.entry());
    }
    int step = stepsOf(node).indexOf(name);
    int result = PointwiseProgram.of(node.kind().attributes()).results().indexOf(step);
    return step < 0 || result < 0 ? Optional.empty() : Optional.of(node.entry(result));
  }
}
