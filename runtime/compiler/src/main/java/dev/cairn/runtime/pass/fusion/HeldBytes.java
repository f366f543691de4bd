package dev.cairn.runtime.pass.fusion;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/** The memory that it costs to read entries later. An entry that only reshapes another one has the same bytes. */
final class HeldBytes {
  private final GraphTypes types;
  private final OperatorTable operators;
  private final ToIntFunction<Node> runsAt;
  private final Map<NodeEntry, List<Node>> readers = new HashMap<>();
  private final Set<NodeEntry> kept = new LinkedHashSet<>();

  /** @param runsAt the position at which a node runs, which may change */
  HeldBytes(Graph graph, GraphTypes types, OperatorTable operators, ToIntFunction<Node> runsAt) {
    this.types = types;
    this.operators = operators;
    this.runsAt = runsAt;
    for (Node node : graph.nodes()) {
      if (runs(node)) {
        node.operands().stream().filter(read -> !read.isAbsent()).forEach(read -> readers.computeIfAbsent(root(read),
          it -> new ArrayList<>()).add(node));
      }
    }
    graph.outputs().forEach(output -> kept.add(root(output.entry())));
  }

  /** Whether the node is a step of a run: no input, constant or variable, and not another shape of the same bytes. */
  boolean runs(Node node) {
    return node.kind() instanceof NodeKind.Assign || node.kind() instanceof NodeKind.Control
      || (node.kind() instanceof NodeKind.Apply && !isAlias(node));
  }

  private boolean isAlias(Node node) {
    return node.kind() instanceof NodeKind.Apply kind && kind.outputs() == 1 && operators.memory(node).alias();
  }

  private NodeEntry root(NodeEntry entry) {
    NodeEntry root = entry;
    while (isAlias(root.node())) {
      root = root.node().inputs().get(0);
    }
    return root;
  }

  /** The entries' bytes in the plan's memory that no node reads at that position or later. */
  long heldLonger(List<NodeEntry> entries, int position) {
    Set<NodeEntry> roots = new LinkedHashSet<>();
    entries.forEach(entry -> roots.add(root(entry)));
    long bytes = 0;
    for (NodeEntry root : roots) {
      boolean planned = root.node().isComputed() && !kept.contains(root);
      int last = readers.getOrDefault(root, List.of()).stream().mapToInt(runsAt).max().orElse(position);
      bytes += planned && last < position ? types.type(root).bytes() : 0;
    }
    return bytes;
  }
}
