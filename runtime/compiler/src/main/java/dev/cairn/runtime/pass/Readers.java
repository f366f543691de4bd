package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.HashMap;
import java.util.Map;

/** How often each entry of a graph is read, by nodes and as a result of the graph. Immutable. */
public final class Readers {
  private final Map<NodeEntry, Integer> counts = new HashMap<>();

  public Readers(Graph graph) {
    for (Node node : graph.nodes()) {
      node.inputs().forEach(this::count);
    }
    graph.outputs().forEach(output -> count(output.entry()));
  }

  private void count(NodeEntry entry) {
    counts.merge(entry, 1, Integer::sum);
  }

  /** 0 when nothing reads it; a node that reads an entry twice counts twice. */
  public int of(NodeEntry entry) {
    return counts.getOrDefault(entry, 0);
  }
}
