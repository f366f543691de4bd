package dev.cairn.runtime.executor;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * A run stopped early: it was cancelled, or exceeded its deadline, or a loop exceeded its limit of trips. Later runs
 * are not affected.
 */
public final class RunStopped extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final int step;
  private final Duration elapsed;

  /** Why a run stopped. */
  public enum Reason {
    CANCELLED("run cancelled"),
    DEADLINE("run exceeded its deadline"),
    /** A loop has more trips than the run's options allow. */
    TRIPS("a loop exceeded its limit of trips");

    private final String words;

    Reason(String words) {
      this.words = words;
    }
  }

  RunStopped(Reason reason, OptionalInt step, Duration elapsed) {
    super("%s: %s elapsedNanos=%d".formatted(reason.words, step.isPresent()
      ? "before step=" + step.getAsInt()
      : "while waiting to begin,", elapsed.toNanos()));
    this.reason = reason;
    this.step = step.orElse(-1);
    this.elapsed = elapsed;
  }

  public Reason reason() {
    return reason;
  }

  /** The next step, which did not begin; empty if the run was still waiting for memory or its turn. */
  public OptionalInt step() {
    return step < 0 ? OptionalInt.empty() : OptionalInt.of(step);
  }

  /** The time since the call of the run. */
  public Duration elapsed() {
    return elapsed;
  }
}
