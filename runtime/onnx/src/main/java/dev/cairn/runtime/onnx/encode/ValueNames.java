package dev.cairn.runtime.onnx.encode;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.notation.UniqueNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A name for each value. In a graph, outputs have names beside those of the nodes; in a file, a value has one name,
 * and a caller knows inputs and outputs by it. So an input keeps its node's name, an output's value has the output's,
 * and where both claim one value the output becomes a copy.
 */
final class ValueNames {
  private final Map<NodeEntry, String> names = new HashMap<>();
  private final List<Graph.Output> copies = new ArrayList<>();

  /** @throws IllegalArgumentException when an input and another value that is an output have one name */
  ValueNames(Graph graph) {
    var taken = new UniqueNames();
    Map<String, NodeEntry> outputs = new HashMap<>();
    for (Graph.Output output : graph.outputs()) {
      outputs.put(taken.take(output.name()), output.entry());
    }
    for (Node input : graph.inputs()) {
      NodeEntry output = outputs.get(input.name());
      if (output != null && !output.equals(input.entry())) {
        throw new IllegalArgumentException(
          "an input and an output have the same name, which ONNX does not allow: name=" + input.name());
      }
      names.put(input.entry(), output == null ? taken.take(input.name()) : input.name());
    }
    for (Graph.Output output : graph.outputs()) {
      boolean free = output.entry().node().kind() instanceof NodeKind.Apply
        || output.entry().node().name().equals(output.name());
      if (!free || !output.name().equals(names.getOrDefault(output.entry(), output.name()))) {
        copies.add(output);
      } else {
        names.put(output.entry(), output.name());
      }
    }
    for (Node node : graph.nodes()) {
      for (int i = 0; i < node.kind().outputs(); i++) {
        names.computeIfAbsent(node.entry(i), entry -> taken.take(entry.toString()));
      }
    }
  }

  /** The value's name; empty for an input that is left out. */
  String of(NodeEntry entry) {
    return entry.isAbsent() ? "" : names.getOrDefault(entry, entry.toString());
  }

  /** Outputs whose value has another name already. */
  List<Graph.Output> copies() {
    return copies;
  }
}
