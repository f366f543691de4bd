package dev.cairn.runtime;

import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a model takes and gives.
 *
 * @param name the model's own name
 * @param inputs declared types by name, in the model's order; extents left open print as their symbol
 * @param outputs names, in the model's order
 */
public record ModelInfo(String name, Map<String, DeclaredType> inputs, List<String> outputs) {
  public ModelInfo {
    inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    outputs = List.copyOf(outputs);
  }

  static ModelInfo of(Graph graph) {
    Map<String, DeclaredType> inputs = new LinkedHashMap<>();
    for (Node node : graph.inputs()) {
      if (node.kind() instanceof NodeKind.Input(DeclaredType type)) {
        inputs.put(node.name(), type);
      }
    }
    return new ModelInfo(graph.name(), inputs, graph.outputs().stream().map(Graph.Output::name).toList());
  }
}
