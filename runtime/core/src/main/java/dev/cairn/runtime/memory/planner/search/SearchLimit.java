package dev.cairn.runtime.memory.planner.search;

/** How far one search may go: a {@link SearchBudget} that has begun to run. Not for several threads. */
final class SearchLimit {
  private static final int CALLS_A_LOOK = 64;

  private final long steps;
  private long before;
  private final long deadlineNanos;
  private final boolean timed;
  private int calls;
  private boolean late;

  SearchLimit(SearchBudget budget) {
    steps = budget.steps();
    timed = budget.isTimed();
    deadlineNanos = timed ? System.nanoTime() + budget.nanos() : 0;
  }

  /** The same, for a counter that begins anew after so many steps. */
  SearchLimit after(long stepsBefore) {
    before = stepsBefore;
    return this;
  }

  /** Whether so many steps are too many, or the time is up. */
  boolean isReached(long stepsDone) {
    if (timed && ++calls % CALLS_A_LOOK == 0) {
      late = late || System.nanoTime() - deadlineNanos >= 0;
    }
    return late || before + stepsDone >= steps;
  }
}
