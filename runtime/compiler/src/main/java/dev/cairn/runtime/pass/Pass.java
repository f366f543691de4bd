package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.Graph;
import java.util.Set;

/**
 * One rewrite of a graph into another that means the same. Passes have no state between calls; one object serves all
 * threads. A pass keeps the graph's inputs, the names, number and order of its outputs, its
 * assigns, and the notes of nodes whose names stay.
 */
public interface Pass {
  /** A short name for reports, in lower case with hyphens. */
  String name();

  /**
   * The facts that {@link #apply} asks its context for; it gets only these. The manager finds {@link Fact#TYPES}; an
   * earlier pass provides any other.
   */
  default Set<Fact<?>> requires() {
    return Set.of();
  }

  /** The facts that {@link #apply} hands to its context, of the graph that it returns. */
  default Set<Fact<?>> provides() {
    return Set.of();
  }

  /** The facts that also hold of the changed graph, if they held before. */
  default Set<Fact<?>> keeps() {
    return Set.of();
  }

  /** The graph after this pass; the very same object when nothing was to be done. */
  Graph apply(Graph graph, PassContext context);
}
