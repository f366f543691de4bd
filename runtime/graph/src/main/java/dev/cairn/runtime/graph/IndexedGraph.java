package dev.cairn.runtime.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A graph with ids: nodes in the graph's order, entries by node and result. Modelled on NNVM's IndexedGraph. */
public final class IndexedGraph {
  private final Graph graph;
  private final Map<Node, Integer> ids = new HashMap<>();
  private final int[] firstEntry;

  public IndexedGraph(Graph graph) {
    this.graph = graph;
    List<Node> nodes = graph.nodes();
    this.firstEntry = new int[nodes.size() + 1];
    for (int i = 0; i < nodes.size(); i++) {
      ids.put(nodes.get(i), i);
      firstEntry[i + 1] = firstEntry[i] + nodes.get(i).kind().outputs();
    }
  }

  public Graph graph() {
    return graph;
  }

  public int nodeCount() {
    return graph.nodes().size();
  }

  public int entryCount() {
    return firstEntry[firstEntry.length - 1];
  }

  public Node node(int nodeId) {
    return graph.nodes().get(nodeId);
  }

  public int nodeId(Node node) {
    Integer id = ids.get(node);
    if (id == null) {
      throw new IllegalArgumentException("not in this graph: node=" + node.name());
    }
    return id;
  }

  public int entryId(NodeEntry entry) {
    return firstEntry[nodeId(entry.node())] + entry.index();
  }

  /** The id of a node's first result; its other results follow. */
  public int firstEntryId(int nodeId) {
    return firstEntry[nodeId];
  }
}
