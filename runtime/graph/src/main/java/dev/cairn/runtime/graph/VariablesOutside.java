package dev.cairn.runtime.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A graph without variables, for a run that may begin again: the old values come in as inputs, and the new ones go out
 * as outputs. So nothing is assigned before the run has all its results.
 *
 * @param graph its inputs are those of the graph and the variables; its outputs those of the graph and the new values
 * @param variables in the order of the further inputs
 * @param assigned by variable that the graph assigns to, in the order of the further outputs; a subset of the variables
 */
public record VariablesOutside(Graph graph, List<Node> variables, List<Node> assigned) {

  public static VariablesOutside of(Graph graph) {
    List<Node> variables = graph.variables();
    if (variables.isEmpty()) {
      return new VariablesOutside(graph, List.of(), List.of());
    }
    Map<Node, List<NodeEntry>> places = new HashMap<>();
    Map<Node, Node> owners = new HashMap<>();
    Map<Node, NodeEntry> newValues = new LinkedHashMap<>();
    List<Node> inputs = new ArrayList<>(graph.inputs());
    for (Node node : graph.nodes()) {
      switch (node.kind()) {
        case NodeKind.Variable variable -> {
          Node input = Node.input(node.name(), DeclaredType.of(variable.initial().type()));
          inputs.add(input);
          owners.put(node, node);
          places.put(node, input.entries());
        }
        case NodeKind.Assign _ -> {
          Node variable = owners.get(node.inputs().get(0).node());
          NodeEntry value = node.inputs().get(1).in(places);
          owners.put(node, variable);
          places.put(node, List.of(value));
          newValues.put(variable, value);
        }
        default -> places.put(node, node.over(places).entries());
      }
    }
    List<Graph.Output> outputs = new ArrayList<>();
    var names = new NodeNames();
    for (Graph.Output output : graph.outputs()) {
      names.take(output.name());
      outputs.add(new Graph.Output(output.name(), output.entry().in(places), output.declared()));
    }
    newValues.forEach((variable, value) -> outputs.add(new Graph.Output(names.unique(variable.name()), value)));
    return new VariablesOutside(new Graph(graph.name(), inputs, outputs), variables, List.copyOf(newValues.keySet()));
  }
}
