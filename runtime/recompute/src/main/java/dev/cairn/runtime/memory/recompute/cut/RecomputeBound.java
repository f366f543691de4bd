package dev.cairn.runtime.memory.recompute.cut;

import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The least cost of any word within a budget: the best bound of one cut, over a few nodes. On very large graphs the
 * work that {@link CutWork} allows ends before the last of them.
 */
public final class RecomputeBound {
  private static final int HIGHEST = 8;
  private static final int SPREAD = 8;

  private RecomputeBound() {}

  /**
   * A cost that no word within the budget goes below.
   *
   * @return {@link Long#MAX_VALUE} when it is proved that no word keeps to the budget
   */
  public static long of(RecomputeProblem problem, long budget) {
    return of(problem, budget, new CutWork(CutWork.DEFAULT));
  }

  /** Like {@link #of(RecomputeProblem, long)}, as good as some work allows. */
  public static long of(RecomputeProblem problem, long budget, CutWork work) {
    if (budget < problem.floor().bytes()) {
      return Long.MAX_VALUE;
    }
    long recomputations = 0;
    for (int node : candidates(problem)) {
      if (!work.isSpent()) {
        var cut = new OneCut(problem, node);
        recomputations = Math.max(recomputations, cut.split(cut.room(budget), work).bound());
      }
    }
    return recomputations == Long.MAX_VALUE ? recomputations : problem.costOnce() + recomputations;
  }

  /** The nodes to cut at: where most is held in the given order, and some spread over it. */
  public static Set<Integer> candidates(RecomputeProblem problem) {
    long[] held = WordJudge.bytesByStep(problem, problem.givenOrder());
    Set<Integer> nodes = new LinkedHashSet<>();
    IntStream.range(0, held.length).boxed().sorted((a, b) -> Long.compare(held[b], held[a])).limit(HIGHEST)
      .forEach(nodes::add);
    for (int i = 1; i <= SPREAD && held.length > 0; i++) {
      nodes.add((int) ((long) i * (held.length - 1) / (SPREAD + 1)));
    }
    return nodes;
  }
}
