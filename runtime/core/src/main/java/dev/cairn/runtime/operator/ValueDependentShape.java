package dev.cairn.runtime.operator;

import dev.cairn.runtime.graph.InvalidGraph;
import java.util.Set;

/** A shape depends on a value that is known only when the model runs, so the graph cannot be planned. */
public final class ValueDependentShape extends InvalidGraph {
  private static final long serialVersionUID = 1;

  private final transient Set<String> inputs;

  /** @param inputs the graph's inputs that decide the value; empty when something else does, too */
  ValueDependentShape(String node, String message, Set<String> inputs) {
    super(node, message);
    this.inputs = Set.copyOf(inputs);
  }

  /** The inputs whose values decide the shape; empty when something else does, too, such as a variable. */
  public Set<String> inputs() {
    return inputs;
  }
}
