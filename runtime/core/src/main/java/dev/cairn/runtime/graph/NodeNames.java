package dev.cairn.runtime.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The names that a graph's nodes have, and new ones that differ from all of them. The same questions in the same order
 * get the same answers. Not thread-safe.
 */
public final class NodeNames {
  private final Set<String> taken = new HashSet<>();
  private final Map<String, Integer> tried = new HashMap<>();

  /** The names of a graph, for a pass that adds nodes to it. */
  public static NodeNames of(Graph graph) {
    var names = new NodeNames();
    graph.nodes().forEach(node -> names.taken.add(node.name()));
    return names;
  }

  /** Takes this very name; false when another node has it. */
  public boolean take(String name) {
    return taken.add(name);
  }

  /** Takes and returns the wanted name, or the first free one of {@code wanted_1}, {@code wanted_2}, ... */
  public String unique(String wanted) {
    String name = wanted;
    int next = tried.getOrDefault(wanted, 0);
    while (!taken.add(name)) {
      next++;
      name = wanted + "_" + next;
    }
    tried.put(wanted, next);
    return name;
  }
}
