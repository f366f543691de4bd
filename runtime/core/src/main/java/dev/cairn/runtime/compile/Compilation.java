package dev.cairn.runtime.compile;

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
   * @param inputs the inputs whose values decide the shape; empty when something else does, too
   */
  record NotPlannable(String node, String operator, String reason, Set<String> inputs) implements Compilation {
    public NotPlannable {
      inputs = Set.copyOf(inputs);
    }
  }
}
