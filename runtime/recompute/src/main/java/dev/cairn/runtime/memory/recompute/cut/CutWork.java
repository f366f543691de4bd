package dev.cairn.runtime.memory.recompute.cut;

/**
 * How much work minimum cuts may still take, counted in edges looked at and not timed, so that equal problems have
 * equal answers. When the work is spent, the flow found so far is still a lower bound of the cut. Not thread-safe.
 */
public final class CutWork {
  /** Enough for whole answers on graphs of some ten thousand nodes. */
  public static final long DEFAULT = 4_000_000_000L;

  private long left;

  /** @param most how many edges may be looked at */
  public CutWork(long most) {
    left = most;
  }

  void spend(long looked) {
    left -= looked;
  }

  /** Whether nothing is left. */
  public boolean isSpent() {
    return left <= 0;
  }

  long left() {
    return left;
  }
}
