package dev.cairn.runtime.memory.remat.search;

import dev.cairn.runtime.memory.order.ChosenOrder;
import dev.cairn.runtime.memory.order.MemoryOrder;
import dev.cairn.runtime.memory.remat.RematAnswer;
import dev.cairn.runtime.memory.remat.RematProblem;
import dev.cairn.runtime.memory.remat.Word;
import dev.cairn.runtime.memory.remat.WordJudge;
import dev.cairn.runtime.memory.remat.cut.RematBound;
import dev.cairn.runtime.memory.remat.exact.ResidentSetSearch;

/**
 * Decides what to run again, and when, so that a graph keeps to a budget of bytes at the least cost. The same problem
 * always gets the same answer: work is counted, not timed.
 */
public final class RematPlanner {
  /** What a search costs by default: about a second for graphs of some hundred nodes. */
  public static final long DEFAULT_WORK = 1_000_000_000L;

  private static final int MOST_VALUES_EXACT = 21;
  private static final int MOST_STATES = 2_000_000;
  private static final long SEED = 20_240_611;

  private final RematProblem problem;
  private final long budget;
  private long bound;
  private Word best;
  private long bestPeak;
  private long bestCost;

  private RematPlanner(RematProblem problem, long budget) {
    this.problem = problem;
    this.budget = budget;
    bound = RematBound.of(problem, budget);
    best = problem.givenOrder();
    bestPeak = WordJudge.peak(problem, best);
    bestCost = problem.costOnce();
  }

  /** As {@link #plan(RematProblem, long, long)} with {@link #DEFAULT_WORK}. */
  public static RematAnswer plan(RematProblem problem, long budget) {
    return plan(problem, budget, DEFAULT_WORK);
  }

  /**
   * The cheapest word found within a budget of bytes.
   *
   * @param work how much searching may cost, about one unit for a word of memory written
   */
  public static RematAnswer plan(RematProblem problem, long budget, long work) {
    var planner = new RematPlanner(problem, budget);
    planner.search(work);
    return new RematAnswer(planner.best, planner.bestCost, problem.costOnce(), planner.bound, planner.bestPeak, budget,
      problem.floor());
  }

  private void search(long work) {
    if (!isDone()) {
      orderOnly();
    }
    if (!isDone() && problem.order().values() <= MOST_VALUES_EXACT) {
      exact();
    }
    if (!isDone()) {
      for (Word start : CutSweep.words(problem, budget)) {
        offer(start);
      }
    }
    if (!isDone()) {
      var search = new WordSearch(problem, budget, best, bound, SEED);
      search.anneal(work / 2, 0.6);
      search.anneal(work / 2, 0.2);
      offer(search.best());
    }
  }

  /** Small problems are solved with proof, unless they have too many states. */
  private void exact() {
    ResidentSetSearch.Found found = ResidentSetSearch.search(problem, budget, MOST_STATES);
    found.word().ifPresent(this::offer);
    if (found.isProved()) {
      bound = found.word().isPresent() ? bestCost : Long.MAX_VALUE;
    }
  }

  private boolean isDone() {
    return bound == Long.MAX_VALUE || (bestPeak <= budget && bestCost <= bound);
  }

  private void orderOnly() {
    ChosenOrder order = MemoryOrder.choose(problem.order());
    offer(Word.of(order.order().stream().mapToInt(Integer::intValue).toArray()));
  }

  private void offer(Word word) {
    long peak = WordJudge.peak(problem, word);
    long cost = WordJudge.cost(problem, word);
    boolean isBetter = peak <= budget
      ? bestPeak > budget || cost < bestCost || (cost == bestCost && peak < bestPeak)
      : bestPeak > budget && peak < bestPeak;
    if (isBetter) {
      best = word;
      bestPeak = peak;
      bestCost = cost;
    }
  }
}
