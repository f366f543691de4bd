package dev.cairn.runtime.compile;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;

/**
 * Finds weights that were trained or saved wrongly: the weights of the model, not constants that are folded from them,
 * which may be NaN by a model's own arithmetic.
 */
final class SpoiltWeights {
  private SpoiltWeights() {}

  /** @throws InvalidGraph when a weight of several elements holds nothing but NaN */
  static void refuse(Graph graph) {
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Constant(TensorView value) && isNothingButNan(value)) {
        throw new InvalidGraph(node.name(), "all elements of a weight are NaN: type=" + value.type());
      }
    }
  }

  /** A lone NaN may be meant. */
  private static boolean isNothingButNan(TensorView value) {
    if (!value.dtype().isFloat() || value.elementCount() < 2) {
      return false;
    }
    for (long i = 0; i < value.elementCount(); i++) {
      if (!Double.isNaN(value.doubleAt(i))) {
        return false;
      }
    }
    return true;
  }
}
