package dev.cairn.runtime.memory;

/**
 * Gives each buffer of a problem its bytes. A pure function: the same problem gets the same plan, plans are valid by
 * {@link PlanValidator}, and one planner may serve several threads.
 */
@FunctionalInterface
public interface MemoryPlanner {
  /** A valid plan for the problem; never fails on a problem that could be built. */
  MemoryPlan plan(MemoryProblem problem);
}
