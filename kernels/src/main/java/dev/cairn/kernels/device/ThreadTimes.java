package dev.cairn.kernels.device;

/**
 * What the system's scheduler counted for a thread, or for several together.
 *
 * @param ranNanos on a processor
 * @param waitedNanos ready to run, but without a processor
 * @param turns how often a processor was given
 */
public record ThreadTimes(long ranNanos, long waitedNanos, long turns) {
  /** The least part of their time that crowded threads wait. */
  private static final double CROWDED_SHARE = 0.125;
  /** A thread that slept gets an idle processor within some tens of microseconds, which is no crowd. */
  private static final long CROWDED_TURN_NANOS = 150_000;

  public static final ThreadTimes NONE = new ThreadTimes(0, 0, 0);

  /**
   * Parses what Linux writes into {@code /proc/thread-self/schedstat}, such as {@code "182346 1565656 2\n"}.
   *
   * @throws NumberFormatException when the text is something else
   */
  static ThreadTimes parse(String text) {
    String[] numbers = text.strip().split(" ", -1);
    if (numbers.length != 3) {
      throw new NumberFormatException("three numbers were expected: text=" + text);
    }
    return new ThreadTimes(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
  }

  ThreadTimes plus(ThreadTimes other) {
    return new ThreadTimes(ranNanos + other.ranNanos, waitedNanos + other.waitedNanos, turns + other.turns);
  }

  public ThreadTimes minus(ThreadTimes before) {
    return new ThreadTimes(ranNanos - before.ranNanos, waitedNanos - before.waitedNanos, turns - before.turns);
  }

  /** Which part of the time in which work was ready passed without a processor: 0 to 1. */
  public double waitedShare() {
    long wanted = ranNanos + waitedNanos;
    return wanted == 0 ? 0 : (double) waitedNanos / wanted;
  }

  /** Whether threads waited so much for processors that something else must have had them. */
  public boolean areCrowded() {
    return areCrowded(CROWDED_TURN_NANOS);
  }

  /** @param turnNanos how long crowded threads wait for each turn in the mean, at least */
  boolean areCrowded(long turnNanos) {
    return waitedShare() >= CROWDED_SHARE && waitedNanos >= turnNanos * Math.max(1, turns);
  }
}
