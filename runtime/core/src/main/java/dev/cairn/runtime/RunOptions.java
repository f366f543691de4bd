package dev.cairn.runtime;

import dev.cairn.runtime.executor.RunLimit;
import java.time.Duration;
import java.util.Optional;

/**
 * How one run behaves.
 *
 * @param cancellation what may stop it
 * @param deadline how long it may take from the call on, waiting included; positive. A step that has begun is not
 *   interrupted, nor is the planning of shapes that were not run before; a run whose last step has begun has its result
 */
public record RunOptions(Optional<Cancellation> cancellation, Optional<Duration> deadline) {
  /** Runs to its end. */
  public static final RunOptions DEFAULT = new RunOptions(Optional.empty(), Optional.empty());

  public RunOptions {
    deadline.filter(it -> !it.isPositive()).ifPresent(it -> {
      throw new IllegalArgumentException("a deadline must be positive: deadline=" + it);
    });
  }

  public RunOptions withCancellation(Cancellation by) {
    return new RunOptions(Optional.of(by), deadline);
  }

  public RunOptions withDeadline(Duration after) {
    return new RunOptions(cancellation, Optional.of(after));
  }

  /** The limit of a run that begins now. */
  RunLimit limitFromNow() {
    if (cancellation.isEmpty() && deadline.isEmpty()) {
      return RunLimit.NONE;
    }
    Cancellation by = cancellation.orElseGet(Cancellation::new);
    return RunLimit.from(by::isCancelled, deadline.map(RunOptions::nanos).orElse(Long.MAX_VALUE));
  }

  /** Some 292 years are as good as for ever. */
  private static long nanos(Duration duration) {
    return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? duration.toNanos() : Long.MAX_VALUE;
  }
}
