package dev.cairn.runtime.pass.precision;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.OperatorFacts;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.OperatorTrait;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the sums and {@code Where} nodes that lead to a softmax. Their operands beside the scores are masks: they say
 * which scores count, by numbers far from any score.
 */
final class MaskedScores {
  private MaskedScores() {}

  static Set<Node> of(Graph graph, OperatorTable operators) {
    Set<Node> leading = new HashSet<>();
    Set<Node> masking = new HashSet<>();
    List<Node> nodes = graph.nodes();
    for (Node node : nodes.reversed()) {
      OperatorFacts facts = operators.facts(node.operator());
      boolean isReader = facts.has(OperatorTrait.SOFTMAX);
      boolean isMasking = leading.contains(node) && facts.has(OperatorTrait.MASKS);
      if (isMasking) {
        masking.add(node);
      }
      boolean isMoving = facts.has(OperatorTrait.PERMUTES) || facts.has(OperatorTrait.RESHAPES);
      if (isReader || isMasking || (leading.contains(node) && isMoving)) {
        node.inputs().stream().filter(it -> !it.isAbsent()).map(NodeEntry::node).forEach(leading::add);
      }
    }
    return masking;
  }
}
