package dev.cairn.allocator.layer;

import dev.cairn.allocator.TrimPolicy;
import java.time.Duration;

/**
 * When and how a {@link TrimmingAllocator} trims.
 *
 * @param period the time from one trim to the next
 * @param policy which memory a trim returns
 */
public record TrimSchedule(Duration period, TrimPolicy policy) {
  /** Returns all memory that has been free for {@code time}, at most half of that time later. */
  public static TrimSchedule afterIdle(Duration time) {
    return new TrimSchedule(time.dividedBy(2), new TrimPolicy(0, time));
  }

  /** Checks the period. */
  public TrimSchedule {
    if (period.isNegative() || period.isZero()) {
      throw new IllegalArgumentException("trim period must be positive: period=" + period);
    }
  }
}
