package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.Graph;
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
 * The judge of variables' memory: walks the steps and follows which value each variable holds. Every step and output
 * that reads a variable's memory must find the value that the graph means, and in the end the last value assigned must
 * be there.
 */
public final class VariableCheck {
  private final IndexedGraph graph;
  private final Storage storage;
  private final Set<Node> steps;
  private final Map<NodeEntry, Node> directValues = new HashMap<>();
  private final List<NodeEntry> held = new ArrayList<>();

  private VariableCheck(IndexedGraph graph, Storage storage) {
    this.graph = graph;
    this.storage = storage;
    this.steps = new HashSet<>(storage.steps());
    storage.variables().direct().forEach(assign -> directValues.put(assign.inputs().get(1), assign));
    storage.variables().variables().forEach(variable -> held.add(variable.entry()));
  }

  /** @throws AssertionError when a wrong value would be read or left */
  public static void requireSound(IndexedGraph graph, Storage storage) {
    if (!storage.variables().variables().isEmpty()) {
      new VariableCheck(graph, storage).walk();
    }
  }

  private void walk() {
    for (Node step : storage.steps()) {
      for (NodeEntry read : step.operands()) {
        requireHeld(read, step.name());
      }
      for (int i = 0; i < step.kind().outputs(); i++) {
        if (place(step.entry(i)) instanceof Place.Variable(int index)) {
          Node assign = step.kind() instanceof NodeKind.Assign ? step : directValues.get(step.entry(i));
          if (assign == null || !held.get(index).equals(assign.inputs().get(0))) {
            throw new AssertionError("a variable is written to out of turn: step=%s holds=%s"
              .formatted(step.name(), held.get(index)));
          }
          held.set(index, assign.entry());
        }
      }
    }
    for (Graph.Output output : graph.graph().outputs()) {
      requireHeld(output.entry(), output.name());
    }
    Set<NodeEntry> left = new HashSet<>(held);
    for (Node assign : graph.graph().assigns()) {
      if (left.contains(assign.inputs().get(0))) {
        throw new AssertionError("an assign was not done: node=" + assign.name());
      }
    }
  }

  private void requireHeld(NodeEntry read, String reader) {
    if (!read.isAbsent() && place(read) instanceof Place.Variable(int index)
      && !held.get(index).equals(meant(read))) {
      throw new AssertionError("another value of a variable would be read: reader=%s means=%s finds=%s"
        .formatted(reader, meant(read), held.get(index)));
    }
  }

  /**
   * The value of a variable that an entry in the variable's memory stands for. The entry may be the value itself,
   * another shape of it, or the result of the node that computed it.
   */
  private NodeEntry meant(NodeEntry entry) {
    NodeEntry at = entry;
    while (at.node().kind() instanceof NodeKind.Apply && !steps.contains(at.node())) {
      at = at.node().inputs().get(0);
    }
    Node assign = directValues.get(at);
    return assign == null ? at : assign.entry();
  }

  private Place place(NodeEntry entry) {
    return storage.places().get(graph.entryId(entry));
  }
}
