package dev.cairn.runtime.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Copies the nodes of a body into the graph around it, or into another body. */
public final class GraphCopy {
  private GraphCopy() {}

  /**
   * The body's results, computed by copies of its nodes.
   *
   * @param arguments one for each parameter of the body
   * @param names gives each copy its name
   * @return one entry for each output of the body
   */
  public static List<NodeEntry> of(Graph body, List<NodeEntry> arguments, UnaryOperator<String> names) {
    Map<Node, List<NodeEntry>> copies = new HashMap<>();
    for (int i = 0; i < body.inputs().size(); i++) {
      copies.put(body.inputs().get(i), List.of(arguments.get(i)));
    }
    for (Node node : body.nodes()) {
      copies.computeIfAbsent(node, it -> it.over(copies).named(names.apply(it.name())).entries());
    }
    return body.outputs().stream().map(output -> output.entry().in(copies)).toList();
  }
}
