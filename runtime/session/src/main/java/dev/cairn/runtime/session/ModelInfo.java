package dev.cairn.runtime.session;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A model's inputs, outputs and variables.
 *
 * @param name the model's name
 * @param inputs declared types by name, in the model's order; open extents print as their symbol
 * @param outputs names, in the model's order
 * @param outputTypes as the file declares them, by name in the model's order; for a graph that declares none, the types
 *   that follow from fixed input shapes. An output whose type is not known before a run is left out
 * @param variables types, by name, of the values that the model keeps between runs
 */
public record ModelInfo(String name, Map<String, DeclaredType> inputs, List<String> outputs,
  Map<String, DeclaredType> outputTypes, Map<String, TensorType> variables) {
  public ModelInfo {
    inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    outputs = List.copyOf(outputs);
    outputTypes = Collections.unmodifiableMap(new LinkedHashMap<>(outputTypes));
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
    return new ModelInfo(graph.name(), inputs, graph.outputs().stream().map(Graph.Output::name).toList(),
      outputTypes(graph), variables);
  }

  private static Map<String, DeclaredType> outputTypes(Graph graph) {
    Map<String, DeclaredType> types = new LinkedHashMap<>();
    Optional<GraphTypes> inferred = graph.outputs().stream().allMatch(output -> output.declared().isPresent())
      ? Optional.empty()
      : inferred(graph);
    for (Graph.Output output : graph.outputs()) {
      output.declared()
        .or(() -> inferred.map(all -> DeclaredType.of(all.type(output.entry()))))
        .ifPresent(type -> types.put(output.name(), type));
    }
    return types;
  }

  /** Types of all entries; empty if a shape depends on an open input or on a value. */
  private static Optional<GraphTypes> inferred(Graph graph) {
    try {
      return Optional.of(new TypeInference(StandardOperators.table(), ValueEvaluator.NONE).infer(graph, InputBinding
        .ofShapes(graph, Map.of())));
    } catch (IllegalArgumentException | InvalidGraph e) {
      return Optional.empty();
    }
  }
}
