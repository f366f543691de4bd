package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.BestFitPlanner;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.GapChoice;

/**
 * The course of one plan: a pass outwards from the busiest column and a short search, which often suffices; then the
 * other passes, each given up as soon as it is no better; then searches from the best, shaken each time, until the
 * budget is spent.
 */
final class Planning {
  private final MemoryProblem problem;
  private final Rectangles rectangles;
  private final MoveBudget budget;
  private final EvictionSearch search;
  private final Arrangement trial;
  private long[] best;
  private long bestTop;

  /**
   * @param rectangles of the problem, one at least
   */
  Planning(MemoryProblem problem, Rectangles rectangles, MoveBudget budget) {
    this.problem = problem;
    this.rectangles = rectangles;
    this.budget = budget;
    Arrangement first = new Arrangement(rectangles);
    first.fit(Orders.outwards(rectangles), GapChoice.SMALLEST, Arrangement.TOO_HIGH, MoveBudget.ofMoves(0));
    search = new EvictionSearch(rectangles, first, budget);
    trial = new Arrangement(rectangles);
    best = search.best();
    bestTop = search.bestTop();
  }

  /** The best offsets found, by rectangle. */
  long[] offsets() {
    search(budget.movesLeft() / 4);
    if (!isDone()) {
      makePasses();
    }
    search(Long.MAX_VALUE);
    Shake shake = new Shake(rectangles, trial, budget);
    while (!isDone() && !budget.isSpent()) {
      shake.shake(best);
      search.startFrom(trial.offsets());
      search(Long.MAX_VALUE);
    }
    return best;
  }

  private boolean isDone() {
    return bestTop <= rectangles.boundBytes() || budget.timeIsUp();
  }

  private void search(long moves) {
    search.run(moves);
    if (search.bestTop() <= bestTop) { // equal plans are accepted too, as another plan to shake
      bestTop = search.bestTop();
      best = search.best();
    }
  }

  private void makePasses() {
    tryPass(Orders.longestFirst(rectangles), GapChoice.SMALLEST);
    for (BestFitPlanner planner : BestFitPortfolio.ALL.planners()) {
      if (isDone()) {
        return;
      }
      tryPass(rectangles.rectanglesOf(planner.order().sequence(problem)), planner.choice());
    }
  }

  private void tryPass(int[] sequence, GapChoice choice) {
    if (trial.fit(sequence, choice, bestTop, budget) != Arrangement.TOO_HIGH) {
      search.startFrom(trial.offsets());
      search(0);
    }
  }
}
