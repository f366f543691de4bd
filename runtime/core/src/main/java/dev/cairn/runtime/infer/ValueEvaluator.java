package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import java.util.List;
import java.util.Optional;

/** Computes an operator on small values while a graph is compiled; implemented with kernels by the wiring. */
@FunctionalInterface
public interface ValueEvaluator {
  /** Computes nothing: only constants and shapes are known. */
  ValueEvaluator NONE = (node, inputs, outputs) -> Optional.empty();

  /**
   * Runs the node's operator once.
   *
   * @param inputs one for each input of the node; empty for an optional input that is left out
   * @param outputs the types of the node's results
   * @return one tensor of each of those types, over bytes that live on; empty when no kernel serves the call
   */
  Optional<List<TensorView>> evaluate(Node node, List<Optional<TensorView>> inputs, List<TensorType> outputs);
}
