package dev.cairn.runtime.graph;

import java.util.HashSet;
import java.util.Set;

/**
 * The judge of graphs. Rules:
 *
 * <ul>
 * <li>G1 inputs: every declared input is an input node, every reachable input node is declared
 * <li>G2 names: no two nodes have the same name, no two outputs have the same name
 * <li>G3 order: every node comes after the nodes it reads
 * <li>G4 outputs: there is at least one, and none is absent
 * </ul>
 */
public final class GraphValidator {
  private GraphValidator() {}

  /** @throws InvalidGraph with the rule that is broken and where */
  public static void validate(Graph graph) {
    checkInputs(graph);
    checkNames(graph);
    checkOrder(graph);
    if (graph.outputs().isEmpty()) {
      throw new InvalidGraph(graph.name(), "G4 outputs: a graph needs an output");
    }
    for (Graph.Output output : graph.outputs()) {
      if (output.entry().isAbsent()) {
        throw new InvalidGraph(output.name(), "G4 outputs: an output is absent");
      }
    }
  }

  private static void checkInputs(Graph graph) {
    Set<Node> declared = new HashSet<>();
    for (Node node : graph.inputs()) {
      if (!(node.kind() instanceof NodeKind.Input) || !declared.add(node)) {
        throw new InvalidGraph(node.name(), "G1 inputs: not an input, or declared twice");
      }
    }
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Input && !declared.contains(node)) {
        throw new InvalidGraph(node.name(), "G1 inputs: read but not declared");
      }
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
