package dev.cairn.runtime;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A model's inputs, outputs and variables.
 *
 * @param name the model's name
 * @param inputs declared types by name, in the model's order; open extents print as their symbol
 * @param outputs names, in the model's order
 * @param variables types, by name, of the values that the model keeps between runs
 */
public record ModelInfo(String name, Map<String, DeclaredType> inputs, List<String> outputs,
  Map<String, TensorType> variables) {
  public ModelInfo {
    inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    outputs = List.copyOf(outputs);
    variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
  }

  static ModelInfo of(Graph graph) {
    Map<String, DeclaredType> inputs = new LinkedHashMap<>();
    for (Node node : graph.inputs()) {
      if (node.kind() instanceof NodeKind.Input(DeclaredType type)) {
        inputs.put(node.name(), type);
      }
    }
    Map<String, TensorType> variables = new LinkedHashMap<>();
    for (Node node : graph.variables()) {
      if (node.kind() instanceof NodeKind.Variable(TensorView initial)) {
        variables.put(node.name(), initial.type());
      }
    }
    return new ModelInfo(graph.name(), inputs, graph.outputs().stream().map(Graph.Output::name).toList(), variables);
  }
}
