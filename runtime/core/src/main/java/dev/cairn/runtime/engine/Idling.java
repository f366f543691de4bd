package dev.cairn.runtime.engine;

/**
 * What threads without work do.
 *
 * @param spinNanos how long one looks for some before it sleeps
 * @param gatherNanos how long the only one of its group leaves pushers alone between two looks, unless somebody waits
 */
record Idling(long spinNanos, long gatherNanos) {
  /**
   * The longer, of 0.5 to 16 microseconds that were tried, the faster pushes were; still less than being woken takes.
   */
  private static final long GATHER_NANOS = 15_000;

  static Idling spinning(long spinNanos) {
    return new Idling(spinNanos, GATHER_NANOS);
  }
}
