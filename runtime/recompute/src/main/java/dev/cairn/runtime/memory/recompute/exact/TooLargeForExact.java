package dev.cairn.runtime.memory.recompute.exact;

/**
 * Thrown when a problem is too large to find the cheapest word with a proof; a search without one has no such limit.
 */
public final class TooLargeForExact extends IllegalArgumentException {
  private static final long serialVersionUID = 1;
  private final int values;
  private final int mostValues;

  TooLargeForExact(int values, int mostValues, int mostStates) {
    super("too large for the exact search: values=%d mostValues=%d mostStates=%d".formatted(values, mostValues,
      mostStates));
    this.values = values;
    this.mostValues = mostValues;
  }

  /** How many values the problem has. */
  public int values() {
    return values;
  }

  /** How many it may have; a problem with fewer is refused, too, if the search would visit too many states. */
  public int mostValues() {
    return mostValues;
  }
}
