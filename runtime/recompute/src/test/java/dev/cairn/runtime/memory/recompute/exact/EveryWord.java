package dev.cairn.runtime.memory.recompute.exact;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import java.util.ArrayList;
import java.util.List;

/** The oracle's oracle: all words up to a length, each weighed by asking which run every read takes. */
final class EveryWord {
  private final RecomputeProblem problem;
  private final OrderProblem order;
  private final long budget;
  private final int longest;
  private final List<Integer> word = new ArrayList<>();
  private long cheapest = Long.MAX_VALUE;

  private EveryWord(RecomputeProblem problem, long budget, int longest) {
    this.problem = problem;
    this.order = problem.order();
    this.budget = budget;
    this.longest = longest;
  }

  /** The least cost of a word within the budget; {@link Long#MAX_VALUE} when there is none of at most that length. */
  static long cheapest(RecomputeProblem problem, long budget, int longest) {
    var all = new EveryWord(problem, budget, longest);
    all.extend(0);
    return all.cheapest;
  }

  private void extend(long cost) {
    boolean isComplete = true;
    for (int node = 0; node < problem.nodes(); node++) {
      isComplete &= word.contains(node);
    }
    if (cost >= cheapest || !fits(false)) {
      return;
    }
    if (isComplete && fits(true)) {
      cheapest = cost;
      return;
    }
    for (int node = 0; node < problem.nodes() && word.size() < longest; node++) {
      if (isLegal(node)) {
        word.add(node);
        extend(cost + problem.cost(node));
        word.removeLast();
      }
    }
  }

  private boolean isLegal(int node) {
    boolean legal = !problem.runsOnce(node) || !word.contains(node);
    for (int needed : order.before(node)) {
      legal &= word.contains(needed);
    }
    for (int later : order.edges(node)) {
      legal &= !word.contains(later);
    }
    return legal;
  }

  /** Whether the steps so far keep to the budget, if nothing more is read; that can only get worse. */
  private boolean fits(boolean isComplete) {
    for (int step = 0; step < word.size(); step++) {
      long held = order.workspace(word.get(step));
      for (int run = 0; run <= step; run++) {
        for (int value : order.made(word.get(run))) {
          held += end(value, run, isComplete) >= step ? order.bytes(value) : 0;
        }
      }
      if (held - mostInPlace(step, isComplete) > budget) {
        return false;
      }
    }
    return true;
  }

  private int end(int value, int run, boolean isComplete) {
    int end = run;
    for (int step = run + 1; step < word.size(); step++) {
      if (word.get(step).equals(word.get(run))) {
        return end;
      }
      for (int read : order.read(word.get(step))) {
        end = read == value ? step : end;
      }
    }
    return isComplete && order.isKept(value) ? word.size() : end;
  }

  private long mostInPlace(int step, boolean isComplete) {
    int[] pairs = order.inPlace(word.get(step));
    List<Integer> taken = new ArrayList<>();
    long saved = 0;
    for (int i = 0; i < pairs.length; i += 2) {
      int run = word.subList(0, step).lastIndexOf(order.producer(pairs[i]));
      boolean dies = end(pairs[i], run, isComplete) == step;
      if (dies && !taken.contains(pairs[i]) && !taken.contains(pairs[i + 1])) {
        taken.addAll(List.of(pairs[i], pairs[i + 1]));
        saved += order.bytes(pairs[i]);
      }
    }
    return saved;
  }
}
