package dev.cairn.runtime.memory.planner.search;

/** How far one search may go: a {@link SearchBudget} that has begun to run. Not for several threads. */
final class SearchLimit {
  private static final int CALLS_A_LOOK = 64;

  private final long mostSteps;
  private final boolean timed;
  private final long deadlineNanos;
  private long steps;
  private int calls;
  private boolean late;

  SearchLimit(SearchBudget budget) {
    mostSteps = budget.steps();
    timed = budget.isTimed();
    deadlineNanos = timed ? System.nanoTime() + budget.nanos() : 0;
  }

  /** Counts steps that were made. */
  void spend(long moreSteps) {
    steps += moreSteps;
  }

  /** Steps made so far. */
  long steps() {
    return steps;
  }

  /** Whether the steps are used up, or the time is. */
  boolean isReached() {
    if (timed && ++calls % CALLS_A_LOOK == 0) {
      late = late || System.nanoTime() - deadlineNanos >= 0;
    }
    return late || steps >= mostSteps;
  }
}
