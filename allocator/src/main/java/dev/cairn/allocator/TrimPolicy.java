package dev.cairn.allocator;

import java.time.Duration;

/**
 * How much of what lies idle is given back to the source.
 *
 * @param keepFreeBytes free bytes that stay for the next request: no region is given back that would leave fewer
 * @param idleFor how long a range must have been free; zero for any
 */
public record TrimPolicy(long keepFreeBytes, Duration idleFor) {
  /** All that is free, at once. */
  public static final TrimPolicy EVERYTHING = new TrimPolicy(0, Duration.ZERO);

  /** Checks the figures. */
  public TrimPolicy {
    if (keepFreeBytes < 0 || idleFor.isNegative()) {
      throw new IllegalArgumentException(
        "trim policy must not be negative: keepFreeBytes=%d idleFor=%s".formatted(keepFreeBytes, idleFor));
    }
  }
}
