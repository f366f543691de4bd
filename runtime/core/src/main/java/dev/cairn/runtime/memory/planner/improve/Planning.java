package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.BestFitPlanner;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.GapChoice;

/**
 * The course of one plan: a pass outwards from the busiest column, a short search, which often suffices; then the other
 * passes, each given up as soon as it is no better; then the rest of the search from the best.
 */
final class Planning {
  private final MemoryProblem problem;
  private final Rectangles rectangles;
  private final Effort effort;

  Planning(MemoryProblem problem, Rectangles rectangles, Effort effort) {
    this.problem = problem;
    this.rectangles = rectangles;
    this.effort = effort;
  }

  /** The best offsets found, by rectangle, of which there must be one at least. */
  long[] offsets() {
    Arrangement first = new Arrangement(rectangles);
    first.fit(Orders.outwards(rectangles), GapChoice.SMALLEST, Arrangement.TOO_HIGH, Effort.ofMoves(0));
    EvictionSearch search = new EvictionSearch(rectangles, first, effort);
    search.run(effort.movesLeft() / 4);
    if (search.bestTop() > rectangles.boundBytes() && !effort.timeIsUp()) {
      makePasses(search);
      search.run(Long.MAX_VALUE);
    }
    return search.best();
  }

  private void makePasses(EvictionSearch search) {
    Arrangement trial = new Arrangement(rectangles);
    tryPass(search, trial, Orders.longestFirst(rectangles), GapChoice.SMALLEST);
    for (BestFitPlanner planner : BestFitPortfolio.ALL.planners()) {
      if (search.bestTop() == rectangles.boundBytes() || effort.timeIsUp()) {
        return;
      }
      tryPass(search, trial, rectangles.rectanglesOf(planner.order().sequence(problem)), planner.choice());
    }
  }

  private void tryPass(EvictionSearch search, Arrangement trial, int[] sequence, GapChoice choice) {
    if (trial.fit(sequence, choice, search.bestTop(), effort) != Arrangement.TOO_HIGH) {
      search.startFrom(trial.offsets());
    }
  }
}
