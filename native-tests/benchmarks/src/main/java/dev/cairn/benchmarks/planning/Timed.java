package dev.cairn.benchmarks.planning;

import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.PlanValidator;
import java.util.ArrayList;
import java.util.List;

/**
 * A planner's answer to one problem, judged, and how long it took.
 *
 * @param firstMillis the first time in this process
 * @param millis the median of all rounds but the first
 */
record Timed(PlanScore score, double firstMillis, double millis) {
  /** No more rounds after so long: slow planners are asked less often, and slower ones than this once. */
  private static final double MOST_MILLIS = 3_000;

  static Timed of(MemoryPlanner planner, MemoryProblem problem, int rounds) {
    long started = System.nanoTime();
    MemoryPlan plan = planner.plan(problem);
    double first = millisSince(started);
    PlanScore score = PlanScore.of(problem, PlanValidator.requireValid(problem, plan));
    List<Double> later = new ArrayList<>();
    long all = started;
    for (int i = 1; i < rounds && millisSince(all) < MOST_MILLIS; i++) {
      started = System.nanoTime();
      plan = planner.plan(problem);
      later.add(millisSince(started));
    }
    return new Timed(score, first, later.isEmpty() ? first : Sample.of(later).median());
  }

  private static double millisSince(long started) {
    return (System.nanoTime() - started) / 1e6;
  }
}
