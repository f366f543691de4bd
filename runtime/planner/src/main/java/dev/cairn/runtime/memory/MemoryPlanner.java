package dev.cairn.runtime.memory;

/**
 * Gives each buffer of a problem its bytes. A pure function: the same problem gets the same plan, plans are valid by
 * {@link PlanValidator}, and one planner may serve several threads.
 */
@FunctionalInterface
public interface MemoryPlanner {
  /**
   * A valid plan for the problem. Every problem that could be built has one, and a planner that honours all {@link
   * ProblemFeature}s never fails.
   *
   * @throws IllegalArgumentException naming the features that this planner does not honour and the problem asks for
   */
  MemoryPlan plan(MemoryProblem problem);
}
