package dev.cairn.allocator;

/**
 * One quantity over time.
 *
 * @param current its value now
 * @param peak the most it was since the start, or since the figures were cleared
 * @param total all that was ever added to it, since the start or the clearing
 */
public record Gauge(long current, long peak, long total) {
  /** Nothing yet. */
  public static final Gauge ZERO = new Gauge(0, 0, 0);

  /** A quantity that grew to {@code value} and never shrank. */
  public static Gauge of(long value) {
    return new Gauge(value, value, value);
  }
}
