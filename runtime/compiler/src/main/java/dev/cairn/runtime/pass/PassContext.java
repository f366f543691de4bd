package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.GraphTypes;
import java.util.Set;

/** The facts that a pass gets and gives. One object serves one call. */
public final class PassContext {
  private final GraphFacts known;
  private final Set<Fact<?>> provides;
  private GraphFacts provided = GraphFacts.NONE;

  PassContext(GraphFacts known, Set<Fact<?>> provides) {
    this.known = known;
    this.provides = provides;
  }

  /** For a pass that requires and provides nothing. */
  public static PassContext none() {
    return new PassContext(GraphFacts.NONE, Set.of());
  }

  /** For a pass that requires {@link Fact#TYPES}. */
  public static PassContext of(GraphTypes types) {
    return new PassContext(GraphFacts.NONE.with(Fact.TYPES, types), Set.of());
  }

  /** @throws IllegalStateException when the pass does not require {@link Fact#TYPES} */
  public GraphTypes types() {
    return get(Fact.TYPES);
  }

  /**
   * The value of a fact of the graph that the pass is given.
   *
   * @throws IllegalStateException when the pass does not require it
   */
  public <T> T get(Fact<T> fact) {
    return known.find(fact).orElseThrow(() -> new IllegalStateException("not required by this pass: fact=" + fact));
  }

  /**
   * Hands on a fact of the graph that the pass returns.
   *
   * @throws IllegalStateException when the pass does not say that it provides it
   */
  public <T> void provide(Fact<T> fact, T value) {
    if (!provides.contains(fact)) {
      throw new IllegalStateException("not provided by this pass: fact=%s provides=%s".formatted(fact, provides));
    }
    provided = provided.with(fact, value);
  }

  GraphFacts provided() {
    return provided;
  }
}
