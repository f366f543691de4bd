package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pass that replaces single nodes. A class implements {@link #rewrite}, which matches and replaces one node;
 * {@link #apply} calls it for each node of a graph, in the graph's order. A rule requires {@link Fact#TYPES} unless it
 * says otherwise.
 */
public interface NodeRule extends Pass {
  /**
   * Matches one node and returns its replacement.
   *
   * @param old the node in the old graph; the context knows the types and readers of its entries
   * @param current the same node with rewritten inputs, which new nodes read
   * @return the entry that replaces the node's first result, while other results stay; null to keep the node
   */
  @Nullable
  NodeEntry rewrite(Node old, Node current, RewriteContext context);

  @Override
  default Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  default Graph apply(Graph graph, PassContext facts) {
    var context = new RewriteContext(graph, facts);
    return GraphRewriter.rewrite(graph, (old, current) -> {
      NodeEntry replacement = rewrite(old, current, context);
      if (replacement == null) {
        return current.entries();
      }
      List<NodeEntry> results = new ArrayList<>(current.entries());
      results.set(0, replacement);
      return results;
    });
  }
}
