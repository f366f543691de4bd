package dev.cairn.runtime.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Validates graphs. Rules:
 *
 * <ul>
 * <li>G1 inputs: every declared input is an input node, every reachable input node is declared
 * <li>G2 names: no two nodes have the same name, no two outputs have the same name
 * <li>G3 order: every node comes after the nodes it reads
 * <li>G4 outputs: there is at least one output or assign, and no output is absent
 * <li>G5 assigns: each has a variable or an assign to one, and a new value; no two assigns replace the same value of a
 * variable
 * <li>G6 bodies: their inputs are parameters, one for each operand; they have as many results as the node wants, and no
 * variables
 * </ul>
 */
public final class GraphValidator {
  private GraphValidator() {}

  /** @throws InvalidGraph naming the broken rule and the node */
  public static void validate(Graph graph) {
    checkInputs(graph);
    checkNames(graph);
    checkOrder(graph);
    checkAssigns(graph);
    checkBodies(graph);
    if (graph.outputs().isEmpty() && graph.assigns().isEmpty()) {
      throw new InvalidGraph(graph.name(), "G4 outputs: a graph needs an output or an assign");
    }
    for (Graph.Output output : graph.outputs()) {
      if (output.entry().isAbsent()) {
        throw new InvalidGraph(output.name(), "G4 outputs: an output is absent");
      }
    }
  }

  private static boolean isInput(Node node) {
    return node.kind() instanceof NodeKind.Input || node.kind() instanceof NodeKind.Parameter;
  }

  private static void checkInputs(Graph graph) {
    Set<Node> declared = new HashSet<>();
    for (Node node : graph.inputs()) {
      if (!isInput(node) || !declared.add(node)) {
        throw new InvalidGraph(node.name(), "G1 inputs: not an input, or declared twice");
      }
    }
    for (Node node : graph.nodes()) {
      if (isInput(node) && !declared.contains(node)) {
        throw new InvalidGraph(node.name(), "G1 inputs: read but not declared");
      }
    }
  }

  private static void checkBodies(Graph graph) {
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Control control) {
        int parameters = node.inputs().size() - control.firstCapture() + control.firstCapturedParameter();
        int results = control instanceof NodeKind.Repeat ? control.outputs() + 1 : control.outputs();
        control.bodies().forEach(body -> checkBody(node, body, parameters, results));
        for (int i = control instanceof NodeKind.Repeat ? 2 : 0; i < node.inputs().size(); i++) {
          if (node.inputs().get(i).isAbsent()) {
            throw new InvalidGraph(node.name(), "G6 bodies: an operand is absent: input=" + i);
          }
        }
      }
    }
  }

  private static void checkBody(Node node, Graph body, int parameters, int results) {
    if (body.inputs().size() != parameters || body.outputs().size() != results) {
      throw new InvalidGraph(node.name(),
        "G6 bodies: wrong number of inputs or results: body=%s inputs=%d wanted=%d results=%d wanted=%d".formatted(body
          .name(), body.inputs().size(), parameters, body.outputs().size(), results));
    }
    if (!body.inputs().stream().allMatch(it -> it.kind() instanceof NodeKind.Parameter)) {
      throw new InvalidGraph(node.name(), "G6 bodies: an input is no parameter: body=" + body.name());
    }
    if (!body.variables().isEmpty() || !body.assigns().isEmpty()) {
      throw new InvalidGraph(node.name(), "G6 bodies: a body cannot have variables: body=" + body.name());
    }
  }

  private static void checkNames(Graph graph) {
    Set<String> names = new HashSet<>();
    for (Node node : graph.nodes()) {
      if (!names.add(node.name())) {
        throw new InvalidGraph(node.name(), "G2 names: two nodes have the same name");
      }
    }
    names.clear();
    for (Graph.Output output : graph.outputs()) {
      if (!names.add(output.name())) {
        throw new InvalidGraph(output.name(), "G2 names: two outputs have the same name");
      }
    }
  }

  private static void checkAssigns(Graph graph) {
    Map<NodeEntry, Node> ends = new HashMap<>();
    for (Node node : graph.assigns()) {
      if (!(node.kind() instanceof NodeKind.Assign) || node.inputs().size() != 2 || node.inputs().get(1).isAbsent()) {
        throw new InvalidGraph(node.name(), "G5 assigns: not an assign of a value to a variable: operator=%s inputs=%d"
          .formatted(node.operator(), node.inputs().size()));
      }
      NodeEntry before = node.inputs().get(0);
      if (!(before.node().kind() instanceof NodeKind.Variable || before.node().kind() instanceof NodeKind.Assign)) {
        throw new InvalidGraph(node.name(), "G5 assigns: neither a variable nor an assign to one: input=" + before);
      }
      Node other = ends.putIfAbsent(before, node);
      if (other != null) {
        throw new InvalidGraph(node.name(),
          "G5 assigns: two assigns replace the same value, so their order is unknown: input=%s other=%s"
            .formatted(before, other.name()));
      }
    }
  }

  private static void checkOrder(Graph graph) {
    Set<Node> seen = new HashSet<>();
    for (Node node : graph.nodes()) {
      for (NodeEntry input : node.inputs()) {
        if (!input.isAbsent() && !seen.contains(input.node())) {
          throw new InvalidGraph(node.name(), "G3 order: reads a later node input=" + input);
        }
      }
      seen.add(node);
    }
  }
}
