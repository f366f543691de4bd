package dev.cairn.runtime.compile;

import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.ProblemFeature;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.improve.ImprovingPlanner;
import dev.cairn.runtime.memory.planner.search.ExactSearch;
import dev.cairn.runtime.memory.planner.search.SearchBudget;
import dev.cairn.runtime.memory.planner.search.SearchResult;
import dev.cairn.runtime.memory.planner.search.SearchRules;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The best plan that Cairn finds for a problem: the improving planner first, which comes close at any size; then exact
 * search, which often reaches the smallest plan of up to some thousand buffers and shows that it is. What asks for
 * features that only best fit knows begins with that.
 *
 * @param budget how long it may take; empty for a number of steps, with which the same problem gets the same plan
 */
record BestPlan(OptionalLong budget) {
  /** Exact search rarely helps beyond it, and then the improving planner does better with the time. */
  private static final int MOST_FOR_EXACT = 3_000;
  /** Up to so many buffers, exact search gets all the time that is left. */
  private static final int FEW = 600;
  private static final long STEPS = 20_000_000;

  static BestPlan within(Duration budget) {
    return new BestPlan(OptionalLong.of(budget.toNanos()));
  }

  /** Without a look at the clock: some tenths of a second. */
  static BestPlan repeatable() {
    return new BestPlan(OptionalLong.empty());
  }

  MemoryPlan smallest(MemoryProblem problem) {
    return search(problem, Long.MAX_VALUE).plan();
  }

  /** @param capacityBytes {@code Long.MAX_VALUE} for the smallest plan; else the first that fits is enough */
  SearchResult search(MemoryProblem problem, long capacityBytes) {
    long started = System.nanoTime();
    long boundBytes = LowerBound.of(problem).bytes();
    boolean isPlain = ProblemFeature.of(problem).isEmpty();
    MemoryPlan first = isPlain ? improving(problem) : BestFitPortfolio.ALL.plan(problem);
    long enoughBytes = capacityBytes == Long.MAX_VALUE ? boundBytes : Math.max(boundBytes, capacityBytes);
    if (first.peakBytes() <= enoughBytes || problem.size() > MOST_FOR_EXACT) {
      return new SearchResult(first, boundBytes, 0);
    }
    var exact = new ExactSearch(same -> first, SearchRules.ALL);
    SearchBudget left = budget.isPresent()
      ? SearchBudget.ofNanos(Math.max(0, budget.getAsLong() - (System.nanoTime() - started)))
      : SearchBudget.ofSteps(STEPS);
    boolean isOneDevice = problem.buffers().stream().mapToInt(it -> it.device()).distinct().count() <= 1;
    return capacityBytes == Long.MAX_VALUE || !isOneDevice
      ? exact.minimise(problem, left)
      : exact.fit(problem, capacityBytes, left);
  }

  /** All of the time for large problems, half of it for middling ones, the usual moves for small ones. */
  private MemoryPlan improving(MemoryProblem problem) {
    if (budget.isEmpty()) {
      return ImprovingPlanner.DEFAULT.plan(problem);
    }
    long nanos = problem.size() > MOST_FOR_EXACT ? budget.getAsLong() : budget.getAsLong() / 2;
    long moves = problem.size() <= FEW ? ImprovingPlanner.DEFAULT.moves() : Long.MAX_VALUE;
    return new ImprovingPlanner(moves, OptionalLong.of(nanos)).plan(problem);
  }
}
