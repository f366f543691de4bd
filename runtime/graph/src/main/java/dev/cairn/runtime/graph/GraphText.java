package dev.cairn.runtime.graph;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A graph as text: one line for each node, in order, with its notes behind a number sign; then the outputs.
 *
 * <pre>
 * x = input float32[batch x 3]
 * w = constant float32[3x4]
 * y = MatMul(x, w) # ctx_group=dev1
 * b = variable float32[4]
 * b/assign = assign(b, y)
 * return logits=y
 * </pre>
 */
public final class GraphText {
  private GraphText() {}

  /** The whole graph, with an indented block for each body. */
  public static String of(Graph graph) {
    var text = new StringBuilder();
    append(graph, "", text);
    return text.toString();
  }

  private static void append(Graph graph, String indent, StringBuilder text) {
    for (Node node : graph.nodes()) {
      text.append(indent).append(line(node)).append('\n');
      if (node.kind() instanceof NodeKind.Control control) {
        for (int i = 0; i < control.bodies().size(); i++) {
          text.append(indent).append("  ").append(control.bodyNames().get(i)).append('\n');
          append(control.bodies().get(i), indent + "    ", text);
        }
      }
    }
    String outputs = graph.outputs().stream().map(o -> o.name() + "=" + o.entry()).collect(Collectors.joining(", "));
    text.append(indent).append("return ").append(outputs).append('\n');
  }

  /** One node. */
  public static String line(Node node) {
    return node.name() + " = " + what(node) + (node.notes().isEmpty() ? "" : " # " + node.notes());
  }

  private static String what(Node node) {
    return switch (node.kind()) {
      case NodeKind.Input(DeclaredType type) -> "input " + type;
      case NodeKind.Constant(var value) -> "constant " + value.type();
      case NodeKind.Deferred(var source) -> "constant " + source.type();
      case NodeKind.Variable(var initial) -> "variable " + initial.type();
      case NodeKind.Assign() -> "assign" + arguments(node);
      case NodeKind.Absent() -> "absent";
      case NodeKind.Parameter parameter -> "parameter";
      case NodeKind.Branch branch -> node.operator() + arguments(node) + results(node);
      case NodeKind.Repeat repeat -> node.operator() + slices(repeat) + arguments(node) + results(node);
      case NodeKind.Apply(String operator, var attributes, int _) ->
        operator + attributes + arguments(node) + results(node);
    };
  }

  private static String results(Node node) {
    return node.kind().outputs() == 1 ? "" : " -> " + node.kind().outputs();
  }

  private static String slices(NodeKind.Repeat repeat) {
    return "{carried=%d, scanned=%s, stacked=%s}".formatted(repeat.carried(), axes(repeat.scanned()), axes(repeat
      .stacked()));
  }

  private static String axes(List<NodeKind.Repeat.Slices> slices) {
    return slices.stream().map(it -> it.axis() + (it.backwards() ? " backwards" : "")).toList().toString();
  }

  private static String arguments(Node node) {
    return node.inputs().stream().map(e -> e.isAbsent() ? "_" : e.toString())
      .collect(Collectors.joining(", ", "(", ")"));
  }
}
