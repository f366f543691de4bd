package dev.cairn.benchmarks.planning;

import java.time.Duration;

/**
 * How much of each measurement is done.
 *
 * @param rounds how often a time is taken at most
 * @param budgetPercent how much of each planner's time limit it gets
 * @param largestBuffers problems of more buffers are left out
 */
record PlanningEffort(int rounds, int budgetPercent, int largestBuffers) {
  static final PlanningEffort FULL = new PlanningEffort(11, 100, Integer.MAX_VALUE);
  /** Only to see that everything works. */
  static final PlanningEffort QUICK = new PlanningEffort(2, 5, 2_000);

  Duration budget(int seconds) {
    return Duration.ofMillis(seconds * 10L * budgetPercent);
  }

  boolean wants(NamedProblem it) {
    return it.problem().size() <= largestBuffers;
  }
}
