package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Which constants of a graph are weights: those that an operator reads where layers have their parameters. */
public final class GraphWeights {
  /** Places of operands, by operator. */
  private static final Map<String, Set<Integer>> PLACES = Map.ofEntries(Map.entry("Gemm", Set.of(0, 1, 2)), Map.entry(
    "MatMul", Set.of(0, 1)), Map.entry("Conv", Set.of(1, 2)), Map.entry("ConvTranspose", Set.of(1, 2)),
    Map.entry(
      "Gather", Set.of(0)),
    Map.entry("BatchNormalization", Set.of(1, 2)), Map.entry("LayerNormalization", Set.of(1,
      2)),
    Map.entry("InstanceNormalization", Set.of(1, 2)), Map.entry("GroupNormalization", Set.of(1, 2)), Map.entry(
      "RMSNormalization", Set.of(1)),
    Map.entry("PRelu", Set.of(1)), Map.entry("Add", Set.of(0, 1)), Map.entry(
      "Mul", Set.of(0, 1)));
  /** Operators whose other operands may be masks and numbers: of theirs, only lists of several numbers count. */
  private static final Set<String> LISTS = Set.of("Add", "Mul");

  private GraphWeights() {}

  /** The names of all weights, in the graph's order. */
  public static Set<String> of(Graph graph) {
    Set<String> names = new LinkedHashSet<>();
    for (Node node : graph.nodes()) {
      for (int place : PLACES.getOrDefault(node.operator(), Set.of())) {
        if (place < node.inputs().size() && isWeight(node.inputs().get(place).node(), LISTS.contains(node
          .operator()))) {
          names.add(node.inputs().get(place).node().name());
        }
      }
    }
    return names;
  }

  private static boolean isWeight(Node node, boolean isList) {
    return node.kind() instanceof NodeKind.Constant(TensorView value) && value.dtype().isFloat() && (!isList || (value
      .shape().rank() == 1 && value.elementCount() > 1));
  }
}
