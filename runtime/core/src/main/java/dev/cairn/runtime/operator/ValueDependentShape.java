package dev.cairn.runtime.operator;

import dev.cairn.runtime.graph.InvalidGraph;

/** A shape follows from a value that is only known when the model runs, so that the graph cannot be planned. */
public final class ValueDependentShape extends InvalidGraph {
  private static final long serialVersionUID = 1;

  ValueDependentShape(String node, String message) {
    super(node, message);
  }
}
