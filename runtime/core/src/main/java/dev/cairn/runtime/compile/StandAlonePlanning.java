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
 * How a problem that belongs to no model is planned, and judged. With a budget of time a plan may depend on the
 * machine.
 *
 * @param planner who plans; empty for the best there is
 * @param budget how long a planner that searches may do so
 */
public record StandAlonePlanning(Optional<PlannerChoice> planner, Duration budget) {
  /** The best planner, with time enough for hard problems of some hundred buffers. */
  public static final StandAlonePlanning BEST = new StandAlonePlanning(Optional.empty(), Duration.ofSeconds(10));

  /**
   * An answer.
   *
   * @param plan valid
   * @param provenBytes no plan takes less: the lower bound, or more where a search has shown it
   * @param nanos how long it took to find, without the judge
   */
  public record Solution(MemoryPlan plan, long provenBytes, long nanos) {
    /** Whether the plan is known to be the smallest. */
    public boolean isOptimal() {
      return plan.peakBytes() <= provenBytes;
    }
  }

  /**
   * A plan as small as the planner finds; it may stop at the first that fits the capacity.
   *
   * @param capacityBytes {@code Long.MAX_VALUE} for the smallest plan
   * @throws IllegalArgumentException when the problem asks for what this planner doesn't know
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
