package dev.cairn.runtime.memory;

/**
 * Places each buffer of a problem. A planner is a pure function: the same problem gets the same plan, and the plan is
 * valid by {@link PlanValidator}. Thread-safe.
 */
@FunctionalInterface
public interface MemoryPlanner {
  /**
   * A valid plan for the problem. Every problem has one, and a planner that supports all {@link ProblemFeature}s never
   * fails.
   *
   * @throws IllegalArgumentException listing the features of the problem that this planner does not support
   */
  MemoryPlan plan(MemoryProblem problem);
}
