package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;

/**
 * Takes out a negation of a negation.
 *
 * <pre>
 * a = Neg(x)
 * b = Neg(a)     →    y = Relu(x)
 * y = Relu(b)
 * </pre>
 */
public final class DoubleNegationPass implements Pass {
  @Override
  public String name() {
    return "double-negation";
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    return GraphRewriter.rewrite(graph, (old, current) -> isNegation(current) && isNegation(current.inputs().get(0)
      .node()) ? current.inputs().get(0).node().inputs() : current.entries());
  }

  private static boolean isNegation(Node node) {
    return node.operator().equals("Neg");
  }
}
