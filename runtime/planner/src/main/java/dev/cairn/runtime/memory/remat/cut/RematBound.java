package dev.cairn.runtime.memory.remat.cut;

import dev.cairn.runtime.memory.remat.RematProblem;
import dev.cairn.runtime.memory.remat.WordJudge;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What every word within a budget costs at least: the best bound of one cut, over a few nodes. On very large graphs the
 * work that {@link CutWork} allows ends before the last of them.
 */
public final class RematBound {
  private static final int HIGHEST = 8;
  private static final int SPREAD = 8;

  private RematBound() {}

  /**
   * A cost that no word within the budget goes below.
   *
   * @return {@link Long#MAX_VALUE} when it is proved that no word keeps to the budget
   */
  public static long of(RematProblem problem, long budget) {
    return of(problem, budget, new CutWork(CutWork.DEFAULT));
  }

  /** As {@link #of(RematProblem, long)}, as good as some work allows. */
  public static long of(RematProblem problem, long budget, CutWork work) {
    if (budget < problem.floor().bytes()) {
      return Long.MAX_VALUE;
    }
    long reruns = 0;
    for (int node : candidates(problem)) {
      if (!work.isSpent()) {
        var cut = new OneCut(problem, node);
        reruns = Math.max(reruns, cut.split(cut.room(budget), work).bound());
      }
    }
    return reruns == Long.MAX_VALUE ? reruns : problem.costOnce() + reruns;
  }

  /** The nodes to cut at: where most is held in the given order, and some spread over it. */
  public static Set<Integer> candidates(RematProblem problem) {
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
