package dev.cairn.runtime.compile;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.util.stream.LongStream;

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

  /** Whether a value has several elements, all NaN. A constant of one NaN may be intended. */
  private static boolean isNothingButNan(TensorView value) {
    return value.dtype().isFloat() && value.elementCount() > 1 && LongStream.range(0, value.elementCount()).allMatch(
      i -> Double.isNaN(value.doubleAt(i)));
  }
}
