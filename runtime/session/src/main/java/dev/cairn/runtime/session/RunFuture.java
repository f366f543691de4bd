package dev.cairn.runtime.session;

import dev.cairn.runtime.value.Result;
import java.util.concurrent.CompletableFuture;

/**
 * The future result of an asynchronous run. The caller closes the result. Cancelling stops the run before its next
 * step; if the run ends at the same moment, cancelling closes its result.
 */
public final class RunFuture extends CompletableFuture<Result> {
  private final Cancellation cancellation = new Cancellation();

  RunFuture() {}

  Cancellation cancellation() {
    return cancellation;
  }

  /** Completes the future with a result, or closes the result if the future is already cancelled. */
  void settle(Result result) {
    if (!complete(result)) {
      result.close();
    }
  }

  /** @param mayInterruptIfRunning has no effect: a run never interrupts a step */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean isCancelled = super.cancel(mayInterruptIfRunning);
    if (isCancelled) {
      cancellation.cancel();
    }
    return isCancelled;
  }

  /** Dependent stages are ordinary futures: cancelling one does not stop the run. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
