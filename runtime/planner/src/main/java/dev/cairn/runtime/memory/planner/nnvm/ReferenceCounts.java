package dev.cairn.runtime.memory.planner.nnvm;

import java.util.List;

/**
 * How often each entry is wanted: once for each use by a node that does not ignore it, once for each use as a graph
 * output. So what the caller reads never comes down to 0.
 */
public final class ReferenceCounts {
  private ReferenceCounts() {}

  /** For each entry id: the counts given with the graph, or else its own. */
  public static int[] of(NnvmGraph graph) {
    if (graph.givenReferenceCounts().isPresent()) {
      return graph.givenReferenceCounts().get().stream().mapToInt(Integer::intValue).toArray();
    }
    int[] counts = new int[graph.entryCount()];
    for (NnvmNode node : graph.nodes()) {
      List<Integer> inputs = node.inputs();
      inputs.forEach(entry -> counts[entry]++);
      node.traits().ignoredInputs().forEach(position -> counts[inputs.get(position)]--);
    }
    graph.outputs().forEach(entry -> counts[entry]++);
    return counts;
  }
}
