package dev.cairn.allocator.layer;

import java.time.Duration;

/**
 * How a {@link RetryingAllocator} waits.
 *
 * @param timeLimit how long a request may wait; zero never waits
 * @param overtakings how often a waiting request may be overtaken; more serves small requests sooner, less large ones
 * @param deadlockAfter how long a deadlock must have stood before a request is failed for it; zero fails it at once.
 *     In this time it may show that a block is freed by another than its holder
 * @param holders who frees a block
 */
public record RetryOptions(Duration timeLimit, int overtakings, Duration deadlockAfter, Holders holders) {
  /** Ten seconds, as in XLA; threads hold what they ask for. */
  public static final RetryOptions DEFAULT = new RetryOptions(Duration.ofSeconds(10), 64, Duration.ofMillis(50),
    Holders.THREADS);

  /** Who frees a block. */
  public enum Holders {
    /** The thread that asked for it, or the {@link Client} that it was asked for through or handed to. */
    THREADS,
    /** Anyone, at any time: then no deadlock can be told from a long wait, and none is. */
    ANYONE
  }

  /** Checks the figures. */
  public RetryOptions {
    if (timeLimit.isNegative() || deadlockAfter.isNegative() || overtakings < 0) {
      throw new IllegalArgumentException("retry options must not be negative: timeLimit=%s overtakings=%d "
        .formatted(timeLimit, overtakings) + "deadlockAfter=" + deadlockAfter);
    }
  }

  /** These options with another limit. */
  public RetryOptions withTimeLimit(Duration newTimeLimit) {
    return new RetryOptions(newTimeLimit, overtakings, deadlockAfter, holders);
  }

  /** These options with another bound on overtaking. */
  public RetryOptions withOvertakings(int newOvertakings) {
    return new RetryOptions(timeLimit, newOvertakings, deadlockAfter, holders);
  }

  /** These options with another patience in deadlocks. */
  public RetryOptions withDeadlockAfter(Duration newDeadlockAfter) {
    return new RetryOptions(timeLimit, overtakings, newDeadlockAfter, holders);
  }

  /** These options for other holders. */
  public RetryOptions withHolders(Holders newHolders) {
    return new RetryOptions(timeLimit, overtakings, deadlockAfter, newHolders);
  }
}
