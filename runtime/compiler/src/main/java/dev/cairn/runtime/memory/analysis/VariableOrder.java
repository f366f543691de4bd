package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which steps must come before others because of variables, though neither reads the other's result: every reader of a
 * variable's value, and the step that writes this value, come before the step that writes the variable's next value.
 */
final class VariableOrder {
  private final IndexedGraph graph;
  private final Storage storage;
  private final Map<Node, Integer> indices = new HashMap<>();
  /** For each value of a variable, the steps that read or write it. */
  private final Map<NodeEntry, Set<Integer>> users = new HashMap<>();
  private final Map<NodeEntry, Node> directValues = new HashMap<>();

  /** Two steps by index. */
  record Pair(int first, int then) {}

  private VariableOrder(IndexedGraph graph, Storage storage) {
    this.graph = graph;
    this.storage = storage;
    storage.steps().forEach(step -> indices.put(step, indices.size()));
    storage.variables().direct().forEach(assign -> directValues.put(assign.inputs().get(1), assign));
    for (int step = 0; step < storage.steps().size(); step++) {
      for (NodeEntry read : storage.steps().get(step).operands()) {
        if (!read.isAbsent() && place(read) instanceof Place.Variable) {
          users.computeIfAbsent(value(read), _ -> new HashSet<>()).add(step);
        }
      }
    }
    graph.graph().assigns().forEach(assign -> users.computeIfAbsent(assign.entry(), _ -> new HashSet<>())
      .add(writer(assign)));
  }

  static List<Pair> of(IndexedGraph graph, Storage storage) {
    var order = new VariableOrder(graph, storage);
    List<Pair> pairs = new ArrayList<>();
    for (Node assign : graph.graph().assigns()) {
      int then = order.writer(assign);
      for (int first : order.users.getOrDefault(assign.inputs().get(0), Set.of())) {
        if (first != then) {
          pairs.add(new Pair(first, then));
        }
      }
    }
    return pairs;
  }

  /** The step that writes the assign's value into the variable. */
  private int writer(Node assign) {
    Node step = indices.containsKey(assign) ? assign : assign.inputs().get(1).node();
    Integer index = indices.get(step);
    if (index == null) {
      throw new AssertionError("no step writes the value: assign=" + assign.name());
    }
    return index;
  }

  /**
   * The variable's value that an entry in the variable's memory stands for, through aliases and direct assigns, which
   * are no steps.
   */
  private NodeEntry value(NodeEntry entry) {
    NodeEntry at = entry;
    while (at.node().kind() instanceof NodeKind.Apply && !indices.containsKey(at.node())) {
      at = at.node().inputs().get(0);
    }
    Node assign = directValues.get(at);
    return assign == null ? at : assign.entry();
  }

  private Place place(NodeEntry entry) {
    return storage.places().get(graph.entryId(entry));
  }
}
