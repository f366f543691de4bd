package dev.cairn.runtime.compile;

import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import java.time.Duration;

/**
 * How a problem that belongs to no model is planned: by the best planner there is, and judged. The one place that says
 * which that is.
 *
 * @param planner who plans
 * @param budget how long a planner that searches may do so
 */
public record StandAlonePlanning(PlannerChoice planner, Duration budget) {
  /** The best planner there is. */
  public static final PlannerChoice BEST = PlannerChoice.BEST_FIT;
  /** Time enough for hard problems of some hundred buffers. */
  public static final Duration DEFAULT_BUDGET = Duration.ofSeconds(10);

  /**
   * A valid plan, as small as the planner finds.
   *
   * @throws IllegalArgumentException when the problem asks for what this planner doesn't know
   */
  public MemoryPlan plan(MemoryProblem problem) {
    return PlanValidator.requireValid(problem, planner.planner(budget).plan(problem));
  }
}
