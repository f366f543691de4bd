package dev.cairn.runtime.memory.recompute.search;

import dev.cairn.runtime.memory.order.ChosenOrder;
import dev.cairn.runtime.memory.order.MemoryOrder;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.cut.CutWork;
import dev.cairn.runtime.memory.recompute.cut.RecomputeBound;
import dev.cairn.runtime.memory.recompute.exact.ResidentSetSearch;
import dev.cairn.runtime.memory.recompute.revolve.LinearTraining;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Decides what to run again, and when, so that a graph keeps to a budget of bytes at the least cost. The same problem
 * always gets the same answer: work is counted, not timed.
 */
public final class RecomputePlanner {
  /** The work of a search by default for each node: together about a second for 350 nodes. */
  public static final long DEFAULT_WORK_PER_NODE = 1_000_000;

  private static final int MOST_NODES_COUNTED = 5000;
  private static final int MOST_VALUES_EXACT = 21;
  private static final int MOST_STATES = 2_000_000;
  private static final double WARM = 0.03;
  private static final long EDGES_PER_UNIT = 20;
  private static final long SEED = 20_240_611;

  private final RecomputeProblem problem;
  private final long budget;
  private long bound;
  private Word order;
  private Word best;
  private long bestPeak;
  private long bestCost;

  private RecomputePlanner(RecomputeProblem problem, long budget, long work) {
    this.problem = problem;
    this.budget = budget;
    bound = LinearTraining.leastCost(problem, budget).orElseGet(() -> RecomputeBound.of(problem, budget, cutWork(
      work)));
    order = problem.givenOrder();
    best = order;
    bestPeak = WordJudge.peak(problem, best);
    bestCost = problem.costOnce();
  }

  /** Like {@link #plan(RecomputeProblem, long, long)}, with {@link #DEFAULT_WORK_PER_NODE} for up to 5,000 nodes. */
  public static RecomputeAnswer plan(RecomputeProblem problem, long budget) {
    return plan(problem, budget, DEFAULT_WORK_PER_NODE * Math.min(problem.nodes(), MOST_NODES_COUNTED));
  }

  /**
   * The cheapest word found within a budget of bytes.
   *
   * @param work how much searching may cost, about one unit for a word of memory written
   */
  public static RecomputeAnswer plan(RecomputeProblem problem, long budget, long work) {
    var planner = new RecomputePlanner(problem, budget, work);
    planner.search(work);
    return new RecomputeAnswer(planner.best, planner.bestCost, problem.costOnce(), planner.bound, planner.bestPeak,
      budget,
      problem.floor());
  }

  /** The work for the cuts of the bound, and for those of words to start from. */
  private static CutWork cutWork(long work) {
    return new CutWork(Math.min(CutWork.DEFAULT, Math.min(work, CutWork.DEFAULT) * EDGES_PER_UNIT));
  }

  private void search(long work) {
    if (!isDone()) {
      orderOnly();
    }
    if (!isDone() && problem.order().values() <= MOST_VALUES_EXACT) {
      exact();
    }
    if (!isDone()) {
      anneal(work);
    }
  }

  /** Gives each start some work, and the rest to the one that got farthest. */
  private void anneal(long work) {
    CheckpointStart.word(problem, budget).ifPresent(this::offer);
    if (isDone()) {
      return;
    }
    CutSweep.words(problem, budget, cutWork(work)).forEach(this::offer);
    List<WordSearch> searches = new ArrayList<>();
    for (Word start : List.of(best, order)) {
      var search = new WordSearch(problem, budget, start, bound, SEED);
      search.anneal(work / 4, WARM);
      searches.add(search);
    }
    WordSearch farthest = Collections.min(searches);
    farthest.anneal(work / 4, WARM);
    farthest.anneal(work / 4, WARM);
    offer(farthest.best());
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
    ChosenOrder chosen = MemoryOrder.choose(problem.order());
    order = Word.of(chosen.order().stream().mapToInt(Integer::intValue).toArray());
    offer(order);
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
