package dev.cairn.runtime.graph;

import java.util.stream.Collectors;

/**
 * A graph as text: one line for each node, in order, then the outputs.
 *
 * <pre>
 * x = input float32[batchx3]
 * w = constant float32[3x4]
 * y = MatMul(x, w)
 * b = variable float32[4]
 * b/assign = assign(b, y)
 * return logits=y
 * </pre>
 */
public final class GraphText {
  private GraphText() {}

  /** The whole graph. */
  public static String of(Graph graph) {
    var text = new StringBuilder();
    for (Node node : graph.nodes()) {
      text.append(line(node)).append('\n');
    }
    String outputs = graph.outputs().stream().map(o -> o.name() + "=" + o.entry()).collect(Collectors.joining(", "));
    return text.append("return ").append(outputs).append('\n').toString();
  }

  /** One node. */
  public static String line(Node node) {
    return node.name() + " = " + switch (node.kind()) {
      case NodeKind.Input(DeclaredType type) -> "input " + type;
      case NodeKind.Constant(var value) -> "constant " + value.type();
      case NodeKind.Deferred(var source) -> "constant " + source.type();
      case NodeKind.Variable(var initial) -> "variable " + initial.type();
      case NodeKind.Assign() -> "assign" + arguments(node);
      case NodeKind.Absent() -> "absent";
      case NodeKind.Apply(String operator, var attributes, int outputs) ->
        operator + attributes + arguments(node) + (outputs == 1 ? "" : " -> " + outputs);
    };
  }

  private static String arguments(Node node) {
    return node.inputs().stream().map(e -> e.isAbsent() ? "_" : e.toString())
      .collect(Collectors.joining(", ", "(", ")"));
  }
}
