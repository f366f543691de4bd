package dev.cairn.runtime.executor;

import java.time.Duration;
import java.util.OptionalInt;

/** A run was given up before its end: it was cancelled, or its time was over. The next run is not concerned. */
public final class RunStopped extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final int step;
  private final Duration elapsed;

  /** Why a run was given up. */
  public enum Reason {
    CANCELLED("run cancelled"),
    DEADLINE("run exceeded its deadline");

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

  /** The step that did not begin; empty when the run was still waiting for memory or its turn. */
  public OptionalInt step() {
    return step < 0 ? OptionalInt.empty() : OptionalInt.of(step);
  }

  /** How long the run had been asked for. */
  public Duration elapsed() {
    return elapsed;
  }
}
