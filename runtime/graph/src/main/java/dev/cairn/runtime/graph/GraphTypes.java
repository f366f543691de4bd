package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The types of a graph's entries, and the values of entries that depend on no input (constants, and exporters' shape
 * arithmetic). Type inference creates it; passes, planners and the executor read it.
 */
public final class GraphTypes {
  private final Map<NodeEntry, TensorType> types;
  private final Map<NodeEntry, TensorView> values;
  private final Map<Node, Integer> trips;

  public GraphTypes(Map<NodeEntry, TensorType> types, Map<NodeEntry, TensorView> values) {
    this(types, values, Map.of());
  }

  /** @param trips the number of trips of the loops that may be unrolled */
  public GraphTypes(Map<NodeEntry, TensorType> types, Map<NodeEntry, TensorView> values, Map<Node, Integer> trips) {
    this.types = new HashMap<>(types);
    this.values = new HashMap<>(values);
    this.trips = Map.copyOf(trips);
  }

  /** Shares what never changes with another, over types of its own. */
  private GraphTypes(Map<NodeEntry, TensorType> types, GraphTypes other) {
    this.types = types;
    this.values = other.values;
    this.trips = other.trips;
  }

  /** These facts, with the types of further entries. */
  public GraphTypes with(Map<NodeEntry, TensorType> more) {
    Map<NodeEntry, TensorType> all = HashMap.newHashMap(types.size() + more.size());
    all.putAll(types);
    all.putAll(more);
    return new GraphTypes(all, this);
  }

  public TensorType type(NodeEntry entry) {
    TensorType type = types.get(entry);
    if (type == null) {
      throw new IllegalArgumentException("no type is known: entry=" + entry);
    }
    return type;
  }

  /** The value, if it is the same for every run. */
  public Optional<TensorView> value(NodeEntry entry) {
    return Optional.ofNullable(values.get(entry));
  }

  /** The number of trips of a loop that may be unrolled: few, and the same for every run. */
  public OptionalInt trips(Node repeat) {
    Integer count = trips.get(repeat);
    return count == null ? OptionalInt.empty() : OptionalInt.of(count);
  }
}
