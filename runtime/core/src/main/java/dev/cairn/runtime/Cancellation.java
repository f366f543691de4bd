package dev.cairn.runtime;

/**
 * Asks runs to stop, from any thread, for good: each run that was given it ends before its next step, with {@link
 * dev.cairn.runtime.executor.RunStopped}. One may serve many runs. Thread-safe.
 */
public final class Cancellation {
  private volatile boolean cancelled;

  /** Does nothing the second time. */
  public void cancel() {
    cancelled = true;
  }

  public boolean isCancelled() {
    return cancelled;
  }
}
