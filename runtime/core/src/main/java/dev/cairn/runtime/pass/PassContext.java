package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.GraphTypes;
import java.util.Optional;

/**
 * What a pass is told of the graph that it is given: the facts it requires.
 *
 * @param knownTypes there when the pass requires {@link Fact#TYPES}
 */
public record PassContext(Optional<GraphTypes> knownTypes) {
  /** For a pass that requires nothing. */
  public static final PassContext NO_FACTS = new PassContext(Optional.empty());

  /** For a pass that requires {@link Fact#TYPES}. */
  public static PassContext of(GraphTypes types) {
    return new PassContext(Optional.of(types));
  }

  /** @throws IllegalStateException when the pass does not require {@link Fact#TYPES} */
  public GraphTypes types() {
    return knownTypes.orElseThrow(() -> new IllegalStateException("not required by this pass: fact=" + Fact.TYPES));
  }
}
