package dev.cairn.runtime.engine.worker;

/**
 * How threads without work behave.
 *
 * @param spinNanos how long one looks for some before it sleeps
 * @param gatherNanos how long the only one of its group leaves pushers alone between two looks, unless a thread waits
 * @param beforeLastLook runs after a worker registered as sleeping, and before its last look for work; tests block here
 */
public record IdlePolicy(long spinNanos, long gatherNanos, Runnable beforeLastLook) {
  /**
   * The longer, of 0.5 to 16 microseconds that were tried, the faster pushes were; still less than being woken takes.
   */
  private static final long GATHER_NANOS = 15_000;

  public IdlePolicy(long spinNanos, long gatherNanos) {
    this(spinNanos, gatherNanos, () -> {});
  }

  public static IdlePolicy spinning(long spinNanos) {
    return new IdlePolicy(spinNanos, GATHER_NANOS);
  }
}
