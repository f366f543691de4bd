package dev.cairn.allocator;

import java.time.Duration;

/**
 * Which idle memory a trim returns to the source.
 *
 * @param keepFreeBytes free bytes to keep for later requests; a trim never leaves fewer
 * @param idleFor how long a region must have been free; zero for any time
 */
public record TrimPolicy(long keepFreeBytes, Duration idleFor) {
  /** All free memory, at once. */
  public static final TrimPolicy EVERYTHING = new TrimPolicy(0, Duration.ZERO);

  /** Checks the figures. */
  public TrimPolicy {
    if (keepFreeBytes < 0 || idleFor.isNegative()) {
      throw new IllegalArgumentException(
        "trim policy must not be negative: keepFreeBytes=%d idleFor=%s".formatted(keepFreeBytes, idleFor));
    }
  }
}
