package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorFacts;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.LinkedHashSet;
import java.util.Set;

/** Which constants of a graph are weights: those that an operator reads where layers have their parameters. */
public final class GraphWeights {
  private GraphWeights() {}

  /** The names of all weights, in the graph's order. */
  public static Set<String> of(Graph graph) {
    Set<String> names = new LinkedHashSet<>();
    for (Node node : graph.nodes()) {
      OperatorFacts facts = StandardOperators.table().facts(node.operator());
      for (int i = 0; i < node.inputs().size(); i++) {
        Node input = node.inputs().get(i).node();
        if (input.kind() instanceof NodeKind.Constant(TensorView value) && value.dtype().isFloat()
          && (facts.weights().contains(i) || (facts.has(OperatorTrait.WEIGHT_LISTS) && isList(value)))) {
          names.add(input.name());
        }
      }
    }
    return names;
  }

  /** Other operands of sums and products may be masks and single numbers. */
  private static boolean isList(TensorView value) {
    return value.shape().rank() == 1 && value.elementCount() > 1;
  }
}
