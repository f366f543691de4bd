package dev.cairn.runtime.session;

/**
 * Cancels runs from any thread. Each run that has this cancellation in its options ends before its next step, with
 * {@link dev.cairn.runtime.executor.RunStopped}. One cancellation may serve many runs, and cannot be reset.
 * Thread-safe.
 */
public final class Cancellation {
  private volatile boolean cancelled;

  /** Cancels all runs that use this; calling it again has no effect. */
  public void cancel() {
    cancelled = true;
  }

  public boolean isCancelled() {
    return cancelled;
  }
}
