package dev.cairn.runtime.memory.recompute.search;

import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.ArrayList;
import java.util.List;

/** The cost of memory: the answers for several budgets, from the floor to the peak of the given order. */
public final class RecomputeCurve {
  private RecomputeCurve() {}

  /**
   * The answers for so many budgets in geometric distances, the smallest first. A larger budget never costs more.
   *
   * @param budgets how many, at least 2
   */
  public static List<RecomputeAnswer> of(RecomputeProblem problem, int budgets) {
    if (budgets < 2) {
      throw new IllegalArgumentException("a curve has two budgets at least: budgets=" + budgets);
    }
    double floor = (double) Math.max(1, problem.floor().bytes());
    double peak = (double) Math.max(1, WordJudge.peak(problem, problem.givenOrder()));
    List<RecomputeAnswer> answers = new ArrayList<>();
    for (int i = 0; i < budgets; i++) {
      long budget = (long) Math.ceil(floor * Math.pow(peak / floor, (double) i / (budgets - 1)));
      RecomputeAnswer answer = RecomputePlanner.plan(problem, budget);
      boolean isWorse = i > 0 && answers.getLast().fits() && (!answer.fits() || answer.cost() > answers.getLast()
        .cost());
      answers.add(isWorse ? answers.getLast().within(budget, answer.bound()) : answer);
    }
    return answers;
  }
}
