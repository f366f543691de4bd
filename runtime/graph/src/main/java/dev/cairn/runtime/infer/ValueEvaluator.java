package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Computation;
import dev.cairn.runtime.graph.Node;
import java.util.List;
import java.util.Optional;

/** Computes operators on constants while a graph is compiled, or later; implemented with kernels by the wiring. */
@FunctionalInterface
public interface ValueEvaluator {
  /** Computes nothing: only constants and shapes are known. */
  ValueEvaluator NONE = (node, inputs, outputs) -> Optional.empty();

  /**
   * Runs the node's operator once.
   *
   * @param inputs one for each input of the node; empty for an optional input that is left out
   * @param outputs the types of the node's results
   * @return one tensor of each of those types, over bytes that live on; empty when no kernel serves the call, or it
   *   takes too much memory for now
   */
  Optional<List<TensorView>> evaluate(Node node, List<Optional<TensorView>> inputs, List<TensorType> outputs);

  /**
   * How the node's operator is run once, when memory for its results is there.
   *
   * @param inputs the types of what the node reads; empty for an optional input that is left out
   * @param outputs the types of the node's results
   * @return empty when no kernel serves the call
   */
  default Optional<Computation> computation(Node node, List<Optional<TensorType>> inputs, List<TensorType> outputs) {
    return Optional.empty();
  }
}
