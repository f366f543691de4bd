package dev.cairn.runtime.compile;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.util.Set;

/** The compiler's answer: a compiled graph, or the node that prevents planning. */
public sealed interface Compilation {
  /** A compiled graph. */
  record Planned(CompiledGraph graph) implements Compilation {}

  /**
   * The graph has no plan: a shape depends on a value that is known only at run time.
   *
   * @param node the name of the node whose types cannot be inferred
   * @param operator the node's operator
   * @param reason an explanation as text
   * @param inputs the inputs whose values decide the shape; empty when another reason prevents a plan, too
   */
  record NotPlannable(String node, String operator, String reason, Set<String> inputs) implements Compilation {
    public NotPlannable {
      inputs = Set.copyOf(inputs);
    }

    /** The result for a graph of which inference cannot know a shape. */
    static NotPlannable of(Graph graph, ValueDependentShape cause) {
      String operator = graph.nodes().stream().filter(node -> node.name().equals(cause.node())).map(Node::operator)
        .findFirst().orElse("a shape");
      return new NotPlannable(cause.node(), operator, String.valueOf(cause.getMessage()), cause.inputs());
    }
  }
}
