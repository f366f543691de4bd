package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;

/**
 * The best of the greedy orders, then a search from there as far as a compiler has time for. Never worse than {@link
 * BestFitPortfolio}, and the same plan on every machine.
 *
 * @param leastSteps of the search, for a problem of any size; see {@link SearchBudget}
 * @param stepsForEachBuffer of the search, in all: so many times the number of buffers, if that is more
 */
public record SearchPlanner(long leastSteps, long stepsForEachBuffer) implements MemoryPlanner {
  /** Some 50 milliseconds, ten times that for ten thousand buffers; no time where the greedy plan is optimal. */
  public static final SearchPlanner DEFAULT = new SearchPlanner(10_000_000, 10_000);
  /** Some seconds: for models that are planned once and run often. */
  public static final SearchPlanner THOROUGH = new SearchPlanner(1_000_000_000, 100_000);

  @Override
  public MemoryPlan plan(MemoryProblem problem) {
    SearchBudget budget = SearchBudget.ofSteps(Math.max(leastSteps, stepsForEachBuffer * problem.size()));
    return new ExactSearch(BestFitPortfolio.ALL, SearchRules.ALL).minimise(problem, budget).plan();
  }
}
