package dev.cairn.runtime.pass.gradient;

import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * A graph and gradients over its nodes.
 *
 * @param graph the forward graph
 * @param xs what the gradients are of
 * @param gradients one for each of {@code xs}; two may be the same entry
 * @param types of all entries, those of the gradients included
 */
public record GradientGraph(Graph graph, List<NodeEntry> xs, List<NodeEntry> gradients, GraphTypes types) {
  private static final String SUFFIX = "/gradient";

  public GradientGraph {
    xs = List.copyOf(xs);
    gradients = List.copyOf(gradients);
  }

  /** A builder of the same graph to which more nodes, outputs and assigns can be added, such as an optimizer's. */
  public GraphBuilder builder() {
    return GraphBuilder.extending(graph, gradients);
  }

  /** The forward graph with one more output for each gradient: {@code w/gradient} for {@code w}. */
  public Graph withOutputs() {
    GraphBuilder builder = builder();
    for (int i = 0; i < xs.size(); i++) {
      builder.output(xs.get(i) + SUFFIX, gradients.get(i));
    }
    return builder.build();
  }

  /**
   * The forward graph with a variable for each gradient, {@code w/gradient} for {@code w}, that each run writes or adds
   * to. The variables begin with zeros.
   *
   * @param requests one for each of {@code xs}
   */
  public Graph assigned(List<GradientRequest> requests) {
    if (requests.size() != xs.size()) {
      throw new IllegalArgumentException("one request for each gradient: requests=%d gradients=%d".formatted(requests
        .size(), xs.size()));
    }
    GraphBuilder builder = builder();
    for (int i = 0; i < xs.size(); i++) {
      if (requests.get(i) != GradientRequest.NONE) {
        NodeEntry gradient = gradients.get(i);
        NodeEntry variable = builder.variable(xs.get(i) + SUFFIX, HeapTensor.allocate(types.type(gradient)));
        builder.assign(variable, requests.get(i) == GradientRequest.ADD
          ? builder.apply(Operators.ADD, variable, gradient)
          : gradient);
      }
    }
    return builder.build();
  }
}
