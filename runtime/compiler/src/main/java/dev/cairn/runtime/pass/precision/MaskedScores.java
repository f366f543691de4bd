package dev.cairn.runtime.pass.precision;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which sums and choices lead to a softmax: what they take beside scores says which of these count, by numbers far from
 * any score.
 */
final class MaskedScores {
  private static final Set<String> READERS = Set.of("Softmax", "LogSoftmax");
  private static final Set<String> MASKING = Set.of("Add", "Sub", "Where");
  /** What may lie between. */
  private static final Set<String> MOVING = Set.of("Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze");

  private MaskedScores() {}

  static Set<Node> of(Graph graph) {
    Set<Node> leading = new HashSet<>();
    Set<Node> masking = new HashSet<>();
    List<Node> nodes = graph.nodes();
    for (Node node : nodes.reversed()) {
      boolean isReader = READERS.contains(node.operator());
      boolean isMasking = leading.contains(node) && MASKING.contains(node.operator());
      if (isMasking) {
        masking.add(node);
      }
      if (isReader || isMasking || (leading.contains(node) && MOVING.contains(node.operator()))) {
        node.inputs().stream().filter(it -> !it.isAbsent()).map(NodeEntry::node).forEach(leading::add);
      }
    }
    return masking;
  }
}
