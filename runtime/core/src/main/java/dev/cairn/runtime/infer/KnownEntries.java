package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the sweep knows so far. */
final class KnownEntries {
  private final Map<NodeEntry, TensorType> types = new HashMap<>();
  private final Map<NodeEntry, TensorView> values = new HashMap<>();

  void put(Node node, List<TensorType> results) {
    for (int i = 0; i < results.size(); i++) {
      types.put(node.entry(i), results.get(i));
    }
  }

  /** @param results values of the node's first results */
  void putValues(Node node, List<TensorView> results) {
    for (int i = 0; i < results.size(); i++) {
      values.put(node.entry(i), results.get(i));
    }
  }

  Optional<TensorView> value(NodeEntry entry) {
    return Optional.ofNullable(values.get(entry));
  }

  /** Only what this node reads, so that the whole sweep stays linear. */
  GraphTypes readBy(Node node) {
    Map<NodeEntry, TensorType> readTypes = new HashMap<>();
    Map<NodeEntry, TensorView> readValues = new HashMap<>();
    for (NodeEntry input : node.inputs()) {
      if (!input.isAbsent()) {
        readTypes.put(input, types.get(input));
        value(input).ifPresent(value -> readValues.put(input, value));
      }
    }
    return new GraphTypes(readTypes, readValues);
  }

  GraphTypes asGraphTypes() {
    return new GraphTypes(types, values);
  }
}
