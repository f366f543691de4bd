package dev.cairn.runtime;

import java.time.Duration;
import java.util.Optional;

/**
 * How a session takes memory.
 *
 * @param budget shared with other sessions; empty where the session's own limit is all that counts
 * @param waitingTime how long a run that lacks memory waits for open results to be closed by other threads, once no
 *   other run is under way. While runs are under way it waits for them in any case
 */
public record MemoryOptions(Optional<MemoryBudget> budget, Duration waitingTime) {
  /** No shared budget, and no waiting for open results. */
  public static final MemoryOptions DEFAULT = new MemoryOptions(Optional.empty(), Duration.ZERO);

  /** Checks the time. */
  public MemoryOptions {
    if (waitingTime.isNegative()) {
      throw new IllegalArgumentException("waiting time is not negative: " + waitingTime);
    }
  }

  /** The same in a budget that sessions share. */
  public MemoryOptions withBudget(MemoryBudget shared) {
    return new MemoryOptions(Optional.of(shared), waitingTime);
  }

  public MemoryOptions withWaitingTime(Duration time) {
    return new MemoryOptions(budget, time);
  }
}
