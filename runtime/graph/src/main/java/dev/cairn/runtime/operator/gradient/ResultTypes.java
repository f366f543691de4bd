package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds the types of a new node's results, as {@code OperatorTable} does. */
@FunctionalInterface
public interface ResultTypes {
  /**
   * @param types of the entries that the node reads
   * @param values of those entries that are the same in every run
   */
  List<TensorType> of(Node node, Function<NodeEntry, TensorType> types,
    Function<NodeEntry, Optional<TensorView>> values);
}
