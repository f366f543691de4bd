package dev.cairn.runtime.compile;

import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.planner.search.SearchPlanner;
import dev.cairn.runtime.memory.planner.search.SearchResult;
import java.time.Duration;
import java.util.Optional;

/**
 * Plans and checks a memory problem that belongs to no model. With a time budget, the plan may depend on the machine.
 *
 * @param planner the planner; empty for the best one
 * @param budget how long a search planner may search
 */
public record StandAlonePlanning(Optional<PlannerChoice> planner, Duration budget) {
  /** The best planner, with enough time for hard problems of a few hundred buffers. */
  public static final StandAlonePlanning BEST = new StandAlonePlanning(Optional.empty(), Duration.ofSeconds(10));

  /**
   * A plan and its quality.
   *
   * @param plan valid
   * @param provenBytes no plan takes less than this: the lower bound, or a larger bound that a search has proved
   * @param nanos planning time without the check
   */
  public record Solution(MemoryPlan plan, long provenBytes, long nanos) {
    /** Whether the plan is proved to be the smallest. */
    public boolean isOptimal() {
      return plan.peakBytes() <= provenBytes;
    }
  }

  /**
   * The smallest plan that the planner finds. It may stop at the first plan that fits the capacity.
   *
   * @param capacityBytes {@code Long.MAX_VALUE} for the smallest plan
   * @throws IllegalArgumentException when the problem uses a feature that this planner does not support
   */
  public Solution solve(MemoryProblem problem, long capacityBytes) {
    long started = System.nanoTime();
    if (planner.isPresent()) {
      MemoryPlan plan = planner.get().planner(budget).plan(problem);
      long nanos = System.nanoTime() - started;
      return new Solution(PlanValidator.requireValid(problem, plan), LowerBound.of(problem).bytes(), nanos);
    }
    SearchResult result = SearchPlanner.within(budget).search(problem, capacityBytes);
    long nanos = System.nanoTime() - started;
    return new Solution(PlanValidator.requireValid(problem, result.plan()), result.provenBytes(), nanos);
  }
}
