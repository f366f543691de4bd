package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.Graph;
import java.util.Set;

/**
 * One rewrite of a graph into another that means the same. Passes have no state between calls; one object serves all
 * threads. A pass keeps the graph's inputs, the names, number and order of its outputs, and its
 * assigns.
 */
public interface Pass {
  /** A short name for reports, in lower case with hyphens. */
  String name();

  /** The facts that {@link #apply} asks its context for; the manager provides only these. */
  default Set<Fact> requires() {
    return Set.of();
  }

  /** The graph after this pass; the very same object when nothing was to be done. */
  Graph apply(Graph graph, PassContext context);
}
