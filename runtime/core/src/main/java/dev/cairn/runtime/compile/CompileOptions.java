package dev.cairn.runtime.compile;

/**
 * How a graph is compiled.
 *
 * @param planner which planner places the buffers
 * @param simplify whether the graph is simplified first; without it every node of the model runs as it is written
 * @param inPlace whether a result may be written over an input that dies
 * @param reorder whether the steps may run in another order than the graph's, where the plan is smaller then; results
 *   are the same to the bit. Graphs with variables keep their order
 */
public record CompileOptions(PlannerChoice planner, boolean simplify, boolean inPlace, boolean reorder) {
  public static final CompileOptions DEFAULT = new CompileOptions(PlannerChoice.BEST_FIT, true, true, true);

  public CompileOptions withPlanner(PlannerChoice other) {
    return new CompileOptions(other, simplify, inPlace, reorder);
  }

  public CompileOptions withSimplify(boolean wanted) {
    return new CompileOptions(planner, wanted, inPlace, reorder);
  }

  public CompileOptions withInPlace(boolean wanted) {
    return new CompileOptions(planner, simplify, wanted, reorder);
  }

  public CompileOptions withReorder(boolean wanted) {
    return new CompileOptions(planner, simplify, inPlace, wanted);
  }
}
