package dev.cairn.runtime.pass.precision;

import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.OperatorTrait;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which sums and choices lead to a softmax: what they take beside scores says which of these count, by numbers far from
 * any score.
 */
final class MaskedScores {
  private static final Set<String> READERS = Set.of(Operators.SOFTMAX, "LogSoftmax");
  private static final Set<String> MASKING = Set.of(Operators.ADD, Operators.SUB, Operators.WHERE);
  /** The operators that may lie between, beside those that only give another shape. */
  private static final Set<String> MOVING = Set.of(Operators.IDENTITY, Operators.TRANSPOSE);

  private MaskedScores() {}

  static Set<Node> of(Graph graph, OperatorTable operators) {
    Set<Node> leading = new HashSet<>();
    Set<Node> masking = new HashSet<>();
    List<Node> nodes = graph.nodes();
    for (Node node : nodes.reversed()) {
      boolean isReader = READERS.contains(node.operator());
      boolean isMasking = leading.contains(node) && MASKING.contains(node.operator());
      if (isMasking) {
        masking.add(node);
      }
      boolean isMoving = MOVING.contains(node.operator()) || operators.facts(node.operator()).has(
        OperatorTrait.RESHAPES);
      if (isReader || isMasking || (leading.contains(node) && isMoving)) {
        node.inputs().stream().filter(it -> !it.isAbsent()).map(NodeEntry::node).forEach(leading::add);
      }
    }
    return masking;
  }
}
