package dev.cairn.runtime.pass.gradient;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.operator.OperatorFacts;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * MXNet 1.9.1's choice: nodes with the note {@code force_mirroring}, and on demand all but slow ones. A copy reads the
 * copies of its operands where they have any. {@code Dropout} and draws are never copied: a copy would draw again.
 *
 * @param all whether nodes without the note are copied, too
 */
record NnvmMirror(boolean all) implements MirrorChoice {
  private static final String SUFFIX = "_mirror";
  /** Marks copies, so that no pass merges them with the nodes that they copy. */
  private static final String COPIED = "copied";
  private static final Set<String> YES = Set.of("1", "true", "True");

  @Override
  public Map<Node, Node> of(Graph graph) {
    NodeNames names = NodeNames.of(graph);
    Map<Node, Node> copies = new HashMap<>();
    for (Node node : graph.nodes()) {
      if (isCopied(node)) {
        List<NodeEntry> reads = new ArrayList<>();
        node.inputs().forEach(it -> reads.add(copies.getOrDefault(it.node(), it.node()).entry(it.index())));
        copies.put(node, node.with(node.kind(), reads).named(names.unique(node.name() + SUFFIX)).withNotes(node.notes()
          .with(Notes.FORCE_MIRRORING, COPIED)));
      }
    }
    return copies;
  }

  private boolean isCopied(Node node) {
    if (!(node.kind() instanceof NodeKind.Apply apply)) {
      return false;
    }
    OperatorFacts facts = StandardOperators.table().facts(apply.operator());
    boolean isSlow = facts.has(OperatorTrait.PRODUCT) || facts.has(OperatorTrait.UNMIRRORED);
    return !facts.draws() && ((all && !isSlow) || node.notes().get(Notes.FORCE_MIRRORING).filter(YES::contains)
      .isPresent());
  }
}
