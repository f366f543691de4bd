package dev.cairn.runtime.compile;

/** What the compiler answers: a compiled graph, or the node that prevents one. */
public sealed interface Compilation {
  /** All that is decided before a run. */
  record Planned(CompiledGraph graph) implements Compilation {}

  /**
   * No plan: a shape depends on a value that is known only while the model runs.
   *
   * @param node the name of the node whose types cannot be known
   * @param operator of that node
   * @param reason for people
   */
  record NotPlannable(String node, String operator, String reason) implements Compilation {}
}
