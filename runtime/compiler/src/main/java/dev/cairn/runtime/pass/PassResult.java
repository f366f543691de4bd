package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import java.util.List;
import java.util.Optional;

/**
 * The result of a list of passes.
 *
 * @param facts of this very graph, as far as the last passes needed or provided them
 */
public record PassResult(Graph graph, GraphFacts facts, PassReport report) {
  /** A graph before any pass. */
  public static PassResult of(Graph graph) {
    return new PassResult(graph, GraphFacts.NONE, new PassReport(List.of()));
  }

  /** The types of the graph's entries, if they are known; saves inferring them again. */
  public Optional<GraphTypes> types() {
    return facts.find(Fact.TYPES);
  }
}
