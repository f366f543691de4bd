package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.HashMap;
import java.util.Map;

/**
 * Which nodes only give bytes another shape. The <em>root</em> of an entry is the entry that first had these bytes:
 * often the entry itself. A node that reshapes a variable's value, and is read after the variable was assigned to, is
 * no alias: it runs, as a copy.
 */
final class Aliases {
  private final IndexedGraph graph;
  private final GraphTypes types;
  private final OperatorTable operators;
  /** For each entry id, the id of the assign's node that overwrites the entry. */
  private final Map<Integer, Integer> ends = new HashMap<>();
  private final int[] roots;

  Aliases(IndexedGraph graph, GraphTypes types, OperatorTable operators) {
    this.graph = graph;
    this.types = types;
    this.operators = operators;
    this.roots = new int[graph.entryCount()];
    for (Node assign : graph.graph().assigns()) {
      ends.put(graph.entryId(assign.inputs().get(0)), graph.nodeId(assign));
    }
    findRoots(latestReaders());
  }

  /**
   * For each entry id, the last node that reads the entry or an alias of it; past the last node when an output does.
   */
  private int[] latestReaders() {
    int[] latest = new int[graph.entryCount()];
    for (Graph.Output output : graph.graph().outputs()) {
      latest[graph.entryId(output.entry())] = graph.nodeCount();
    }
    for (int id = graph.nodeCount() - 1; id >= 0; id--) {
      Node node = graph.node(id);
      int reader = mayBeAlias(node) ? Math.max(id, latest[graph.firstEntryId(id)]) : id;
      for (NodeEntry read : node.operands()) {
        if (!read.isAbsent()) {
          latest[graph.entryId(read)] = Math.max(latest[graph.entryId(read)], reader);
        }
      }
    }
    return latest;
  }

  private void findRoots(int[] latest) {
    for (int id = 0; id < graph.nodeCount(); id++) {
      int entry = graph.firstEntryId(id);
      for (int i = 0; i < graph.node(id).kind().outputs(); i++) {
        roots[entry + i] = entry + i;
      }
      if (mayBeAlias(graph.node(id))) {
        int root = root(graph.node(id).inputs().get(0));
        boolean outlived = latest[entry] > ends.getOrDefault(root, graph.nodeCount());
        roots[entry] = outlived ? entry : root;
      }
    }
  }

  private boolean mayBeAlias(Node node) {
    return node.kind() instanceof NodeKind.Apply apply && apply.outputs() == 1
      && operators.memory(node).alias()
      && types.type(node.entry()).bytes() == types.type(node.inputs().get(0)).bytes();
  }

  int root(NodeEntry entry) {
    return roots[graph.entryId(entry)];
  }

  int root(int entry) {
    return roots[entry];
  }

  /** Whether nothing runs for this node. */
  boolean isAlias(Node node) {
    int entry = graph.firstEntryId(graph.nodeId(node));
    return roots[entry] != entry;
  }
}
