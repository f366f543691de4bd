package dev.cairn.allocator;

/**
 * One quantity over time.
 *
 * @param current its value now
 * @param peak its largest value since the start or the last reset
 * @param total the sum of all increases since the start or the last reset
 */
public record Gauge(long current, long peak, long total) {
  /** The gauge at its start. */
  public static final Gauge ZERO = new Gauge(0, 0, 0);

  /** A gauge that grew to {@code value} and never shrank. */
  public static Gauge of(long value) {
    return new Gauge(value, value, value);
  }
}
