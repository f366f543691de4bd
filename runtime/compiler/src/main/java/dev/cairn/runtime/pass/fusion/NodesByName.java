package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import java.util.HashMap;
import java.util.Map;

/** Finds nodes of a graph that is not fused yet, by the names that a fused graph has kept. */
final class NodesByName {
  private final Map<String, Node> nodes = new HashMap<>();
  private final GraphTypes types;

  NodesByName(Graph graph, GraphTypes types) {
    graph.nodes().forEach(node -> nodes.put(node.name(), node));
    this.types = types;
  }

  /** @throws IllegalArgumentException when there is none */
  Node find(String name) {
    Node node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("the shapes make another graph: missing=" + name);
    }
    return node;
  }

  /** @throws IllegalArgumentException when the node's first result has another shape */
  void requireShape(Node node, Shape shape) {
    if (!types.type(node.entry()).shape().equals(shape)) {
      throw new IllegalArgumentException(
        "fused for the largest shapes, which these don't allow: node=%s type=%s shape=%s".formatted(node.name(), types
          .type(node.entry()), shape));
    }
  }
}
