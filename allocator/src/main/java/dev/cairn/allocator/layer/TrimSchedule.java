package dev.cairn.allocator.layer;

import dev.cairn.allocator.TrimPolicy;
import java.time.Duration;

/**
 * When and how a {@link TrimmingAllocator} trims.
 *
 * @param period the pause between two trims
 * @param policy what is given back
 */
public record TrimSchedule(Duration period, TrimPolicy policy) {
  /** Four times a second, all that has been free for half a second: a spike is gone within a second. */
  public static final TrimSchedule DEFAULT = new TrimSchedule(Duration.ofMillis(250),
    new TrimPolicy(0, Duration.ofMillis(500)));

  /** Checks the period. */
  public TrimSchedule {
    if (period.isNegative() || period.isZero()) {
      throw new IllegalArgumentException("trim period must be positive: period=" + period);
    }
  }
}
