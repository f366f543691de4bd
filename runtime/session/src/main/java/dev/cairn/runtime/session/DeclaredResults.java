package dev.cairn.runtime.session;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.Value;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a model's results with the types that its file declares for them. Cairn computes with the types that it
 * infers, so a difference changes no result: the log warns of it, once for each output. Thread-safe.
 */
final class DeclaredResults {
  private static final Logger LOG = LoggerFactory.getLogger(DeclaredResults.class);

  private final String graph;
  /** The outputs with a declared type that no result contradicted yet. */
  private volatile List<Graph.Output> uncontradicted;

  DeclaredResults(Graph graph) {
    this.graph = graph.name();
    this.uncontradicted = graph.outputs().stream().filter(it -> it.declared().isPresent() && it.declared().get()
      .isTensor()).toList();
  }

  /** @param results by the output's name */
  void compare(Map<String, ? extends Value> results) {
    for (Graph.Output output : uncontradicted) {
      if (results.get(output.name()) instanceof Tensor result && !output.declared().orElseThrow().admits(result
        .type())) {
        warn(output, result);
      }
    }
  }

  private synchronized void warn(Graph.Output output, Tensor result) {
    if (uncontradicted.contains(output)) {
      uncontradicted = uncontradicted.stream().filter(it -> !it.equals(output)).toList();
      LOG.warn("a result has another type than the model declares, and keeps its own: graph={} output={} declared={} "
        + "result={}", graph, output.name(), output.declared().orElseThrow(), result.type());
    }
  }
}
