package dev.cairn.runtime.operator;

import dev.cairn.runtime.graph.InvalidGraph;

/** A shape depends on a value that is known only when the model runs, so the graph cannot be planned. */
public final class ValueDependentShape extends InvalidGraph {
  private static final long serialVersionUID = 1;

  /** @param node whose results have such a shape */
  public ValueDependentShape(String node, String message) {
    super(node, message);
  }
}
