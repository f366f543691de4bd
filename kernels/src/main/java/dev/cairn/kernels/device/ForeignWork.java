package dev.cairn.kernels.device;

/**
 * Whether a thread that waits may run work of others meanwhile. A thread that holds a lock refuses it: work of others
 * that needs the same lock would have it at once, as the thread has it already.
 */
public final class ForeignWork {
  /** How many reasons there are; other work on the thread has none of them. */
  private static final ProgramLocal<Integer> REASONS = new ProgramLocal<>();

  private ForeignWork() {}

  /** From now on this thread runs no foreign work, until {@link #accept} is called as often as this. */
  public static void refuse() {
    Integer before = REASONS.get();
    REASONS.set(before == null ? 1 : before + 1);
  }

  /** Ends one {@link #refuse}. */
  public static void accept() {
    Integer before = REASONS.get();
    if (before == null) {
      throw new IllegalStateException("foreign work was not refused");
    }
    REASONS.set(before == 1 ? null : before - 1);
  }

  /** Whether this thread runs no foreign work now. */
  public static boolean isRefused() {
    return REASONS.get() != null;
  }
}
