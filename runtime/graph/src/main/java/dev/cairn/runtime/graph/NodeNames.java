package dev.cairn.runtime.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The names of a graph's nodes; it also creates new unique names. Deterministic: the same calls return the same names.
 * Not thread-safe.
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

  /** Takes this exact name; false if another node has it. */
  public boolean take(String name) {
    return taken.add(name);
  }

  /** Takes and returns the wanted name, or the first unused one of {@code wanted_1}, {@code wanted_2}, ... */
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
