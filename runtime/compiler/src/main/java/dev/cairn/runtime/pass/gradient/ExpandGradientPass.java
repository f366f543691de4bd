package dev.cairn.runtime.pass.gradient;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces the first {@code Gradient} node of a graph by the nodes that compute gradients.
 *
 * <pre>
 * y = Mul(x, w)                     y = Mul(x, w)
 * g = Gradient(y, w)          →     y/gradient/Mul = Mul(head, x)
 * return g=g                        return g=y/gradient/Mul
 * </pre>
 *
 * A gradient of a gradient has its own node behind it, for another round.
 */
public final class ExpandGradientPass implements Pass {
  private final GradientPass gradients;

  /**
   * @param operators the operators of the graph and of gradients
   * @param bodies finds the types of a branch
   */
  public ExpandGradientPass(OperatorTable operators, GradientOptions options, BodyInference bodies) {
    this.gradients = new GradientPass(operators, options, bodies);
  }

  /** Whether the graph has such a node. */
  public static boolean isNeeded(Graph graph) {
    return first(graph).isPresent();
  }

  private static Optional<Node> first(Graph graph) {
    return graph.nodes().stream().filter(node -> node.operator().equals(GradientOperator.NAME)).findFirst();
  }

  @Override
  public String name() {
    return "gradients";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    Optional<Node> first = first(graph);
    return first.isEmpty() ? graph : expanded(graph, first.get(), context.types());
  }

  private Graph expanded(Graph graph, Node gradient, GraphTypes types) {
    GradientGraph found = gradients.of(graph, types, List.of(GradientPass.Head.of(gradient.inputs().getFirst())),
      gradient.inputs().subList(1, gradient.inputs().size()));
    return GraphRewriter.rewrite(graph, (old, current) -> old == gradient
      ? found.gradients()
      : current.entries());
  }
}
