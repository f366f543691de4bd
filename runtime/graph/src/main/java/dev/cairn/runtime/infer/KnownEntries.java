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

/** The facts that the sweep knows so far. */
final class KnownEntries {
  private final Map<NodeEntry, TensorType> types = new HashMap<>();
  private final Map<NodeEntry, TensorView> values = new HashMap<>();
  private final Map<Node, Integer> trips = new HashMap<>();

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

  void putValue(NodeEntry entry, TensorView value) {
    values.put(entry, value);
  }

  /** Records a loop that is short, and has the same number of trips in every run. */
  void putTrips(Node repeat, int count) {
    trips.put(repeat, count);
  }

  /** The type of an entry of a node that the sweep has passed. */
  TensorType type(NodeEntry entry) {
    TensorType type = types.get(entry);
    if (type == null) {
      throw new AssertionError("the graph's order is broken: entry=" + entry);
    }
    return type;
  }

  Optional<TensorView> value(NodeEntry entry) {
    return Optional.ofNullable(values.get(entry));
  }

  GraphTypes asGraphTypes() {
    return new GraphTypes(types, values, trips);
  }
}
