package dev.cairn.runtime.pass.gradient;

import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.gradient.GradientNodes;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The entries of which gradients are needed: those of float types that depend on an x, by a way through which gradients
 * flow.
 */
final class NeededEntries {
  private final Set<NodeEntry> needed;

  private NeededEntries(Set<NodeEntry> needed) {
    this.needed = needed;
  }

  /** @param order nodes, each after the nodes that it reads */
  static NeededEntries of(List<Node> order, Collection<NodeEntry> xs, GradientOptions options, OperatorTable operators,
    GradientNodes nodes) {
    var all = new NeededEntries(new HashSet<>(xs));
    for (Node node : order) {
      if (node.operands().stream().anyMatch(all::contains) && !isZero(node, options, operators)) {
        node.entries().stream().filter(it -> nodes.type(it).dtype().isFloat()).forEach(all.needed::add);
      }
    }
    return all;
  }

  private static boolean isZero(Node node, GradientOptions options, OperatorTable operators) {
    return node.kind() instanceof NodeKind.Apply && options.gradient(node.operator(), operators)
      .isZero();
  }

  boolean contains(NodeEntry entry) {
    return needed.contains(entry);
  }

  /** Whether the gradient of one of the node's results is needed. */
  boolean containsAnyOf(Node node) {
    return node.entries().stream().anyMatch(needed::contains);
  }
}
