package dev.cairn.runtime.memory.planner.search;

/**
 * The work that a search may do.
 *
 * @param steps entries of its lists that it may look at, some 10^8 in a second; with these alone a problem gets the
 *   same plan at any time on any machine
 * @param nanos time that it may take; a plan then depends on the clock. {@code Long.MAX_VALUE} for no such limit
 */
public record SearchBudget(long steps, long nanos) {
  public SearchBudget {
    if (steps < 0 || nanos < 0) {
      throw new IllegalArgumentException("negative budget: steps=%d nanos=%d".formatted(steps, nanos));
    }
  }

  public static SearchBudget ofSteps(long steps) {
    return new SearchBudget(steps, Long.MAX_VALUE);
  }

  public static SearchBudget ofNanos(long nanos) {
    return new SearchBudget(Long.MAX_VALUE, nanos);
  }

  boolean isTimed() {
    return nanos != Long.MAX_VALUE;
  }
}
