package dev.cairn.runtime.memory.planner.search;

import java.util.function.LongSupplier;

/** How far one search may go: a {@link SearchBudget} that has begun to run. Not for several threads. */
final class SearchLimit {
  private static final int CALLS_A_LOOK = 64;

  private final LongSupplier nanoTime;
  private final long mostSteps;
  private final boolean timed;
  private final long deadlineNanos;
  private long steps;
  private int calls;
  private boolean late;

  SearchLimit(SearchBudget budget) {
    this(budget, System::nanoTime);
  }

  SearchLimit(SearchBudget budget, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    mostSteps = budget.steps();
    timed = budget.isTimed();
    deadlineNanos = timed ? nanoTime.getAsLong() + budget.nanos() : 0;
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
      late = late || nanoTime.getAsLong() - deadlineNanos >= 0;
    }
    return late || steps >= mostSteps;
  }
}
