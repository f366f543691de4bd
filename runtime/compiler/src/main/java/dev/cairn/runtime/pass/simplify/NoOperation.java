package dev.cairn.runtime.pass.simplify;

import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.stream.IntStream;

/**
 * Decides whether a node returns its first input unchanged, so that it need not run. Says no where that is not
 * certain.
 */
final class NoOperation {
  private NoOperation() {}

  /** Whether the node's first result is its first input, bit for bit, and its other results are not read. */
  static boolean is(Node node, RewriteContext context) {
    return node.kind() instanceof NodeKind.Apply apply && context.row(node).filter(row -> row.facts().unchanged().holds(
      new TypeContext(node, context.types()), context.type(node.entry()))).isPresent()
      && IntStream.range(1, apply.outputs()).allMatch(i -> context.readers(node.entry(i)) == 0);
  }
}
