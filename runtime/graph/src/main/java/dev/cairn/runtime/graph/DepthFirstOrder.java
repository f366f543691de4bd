package dev.cairn.runtime.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The order of nodes: depth first from the roots, operands in the operator's order, each node once. */
public final class DepthFirstOrder {
  private DepthFirstOrder() {}

  /** All nodes that the roots need, each after the nodes that it reads. */
  public static List<Node> of(Collection<Node> roots) {
    return of(List.of(), roots);
  }

  /**
   * Without recursion: a chain of 100,000 nodes must not overflow the stack.
   *
   * @param first nodes that come first, in this order
   */
  static List<Node> of(List<Node> first, Collection<Node> roots) {
    Set<Node> begun = new HashSet<>();
    Set<Node> ended = new HashSet<>();
    var order = new ArrayList<Node>();
    for (Node node : first) {
      if (ended.add(node)) {
        order.add(node);
      }
    }
    var stack = new ArrayDeque<Node>();
    for (Node root : roots) {
      stack.push(root);
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
}
