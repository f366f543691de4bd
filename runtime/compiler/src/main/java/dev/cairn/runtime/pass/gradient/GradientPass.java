package dev.cairn.runtime.pass.gradient;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.List;
import java.util.Optional;

/**
 * Builds gradients: of the sum of some entries, each weighted by its head gradient, with respect to others.
 *
 * <pre>
 * x = input float32[3]                 x = input float32[3]
 * y = Tanh(x)                          y = Tanh(x)
 * return y                      →      y/gradient/Mul = Mul(y, y)
 *                                      y/gradient/Sub = Sub(1, y/gradient/Mul)
 *                                      y/gradient/Mul_1 = Mul(head, y/gradient/Sub)
 *                                      return y, x/gradient=y/gradient/Mul_1
 * </pre>
 *
 * Thread-safe: it has no state between calls.
 */
public final class GradientPass {
  private final OperatorTable operators;
  private final GradientOptions options;
  private final BodyInference bodies;

  /**
   * An entry whose gradient is taken.
   *
   * @param gradient the head gradient, of the entry's type; ones where it is empty
   */
  public record Head(NodeEntry entry, Optional<NodeEntry> gradient) {
    /** A head with a gradient of ones, as for a loss. */
    public static Head of(NodeEntry entry) {
      return new Head(entry, Optional.empty());
    }

    /** A head with a gradient that the graph computes or gets. */
    public static Head of(NodeEntry entry, NodeEntry gradient) {
      return new Head(entry, Optional.of(gradient));
    }
  }

  /** Like the other constructor, for graphs without control flow. */
  public GradientPass(OperatorTable operators, GradientOptions options) {
    this(operators, options, (body, _) -> {
      throw new IllegalArgumentException("control flow needs the types of its bodies: body=" + body.name());
    });
  }

  /**
   * @param operators the operators of the graph and of gradients
   * @param bodies finds the types of a branch, for an {@code If} that a run decides
   */
  public GradientPass(OperatorTable operators, GradientOptions options, BodyInference bodies) {
    this.operators = operators;
    this.options = options;
    this.bodies = bodies;
  }

  /**
   * The gradients of {@code ys} with respect to {@code xs}. An x that is a y has the head itself as a term. An x on
   * which {@code ys} depend through steps alone has zeros.
   *
   * @param types of all entries of the graph, and of heads that it does not have
   * @param ys of float types; an entry may occur several times, its heads add up
   * @param xs of float types; any entries of the graph
   * @throws IllegalArgumentException when an x or y is not of a float type, no y depends on an x, or a head has another
   *   type than its y
   * @throws dev.cairn.runtime.operator.UnsupportedOperators when gradients would flow through operators without one:
   *   all such nodes at once
   */
  public GradientGraph of(Graph graph, GraphTypes types, List<Head> ys, List<NodeEntry> xs) {
    return new GradientWalk(graph, types, operators, options, bodies).of(ys, xs);
  }
}
