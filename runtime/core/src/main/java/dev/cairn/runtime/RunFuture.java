package dev.cairn.runtime;

import java.util.concurrent.CompletableFuture;

/**
 * A run that goes on by itself. Whoever takes its result closes it. Cancelling stops the run before its next step, and
 * gives back the result of a run that ended at the same moment.
 */
public final class RunFuture extends CompletableFuture<Result> {
  private final Cancellation cancellation = new Cancellation();

  RunFuture() {}

  Cancellation cancellation() {
    return cancellation;
  }

  /** Closes the result if nobody can take it any more. */
  void settle(Result result) {
    if (!complete(result)) {
      result.close();
    }
  }

  /** @param mayInterruptIfRunning without effect: a step is never interrupted */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean isCancelled = super.cancel(mayInterruptIfRunning);
    if (isCancelled) {
      cancellation.cancel();
    }
    return isCancelled;
  }

  /** What is chained to this is an ordinary future: cancelling that does not stop the run. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
