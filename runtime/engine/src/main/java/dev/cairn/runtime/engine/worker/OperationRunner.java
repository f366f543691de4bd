package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.failure.FailureRecord;
import dev.cairn.runtime.engine.failure.Failures;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.FusedBody;
import dev.cairn.runtime.engine.queue.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Runs the work of operations whose turn has come, and handles failures: a failure is recorded, and what the operation
 * writes becomes poisoned. An operation that reads or changes such a value is skipped and passes the same poison on.
 * Poison stays until an operation that does not look at the old value has written the variable. Thread-safe.
 */
public final class OperationRunner {
  private final Failures failures;
  private volatile @Nullable FailureRecord shutdown;

  public OperationRunner(Failures failures) {
    this.failures = failures;
  }

  /** Whether everything but deletes is skipped from now on. */
  public void skipAll(boolean skips) {
    shutdown = skips ? FailureRecord.ofShutdown() : null;
  }

  /** Runs work that has ended when it returns; returns its own failure, null when it was skipped or went well. */
  public @Nullable FailureRecord run(Operation operation, Runnable work) {
    FailureRecord inherited = inherited(operation);
    if (work instanceof FusedBody fused) {
      runFused(operation, fused, inherited);
      return null;
    }
    if (skips(operation, inherited)) {
      return null;
    }
    try {
      work.run();
    } catch (Throwable e) {
      return failed(operation, e);
    }
    succeeded(operation, inherited);
    return null;
  }

  /** The failures of the parts, and of the whole, are recorded, but the engine that throws them at once fuses none. */
  private void runFused(Operation operation, FusedBody fused, @Nullable FailureRecord inherited) {
    boolean isDone = false;
    try {
      isDone = inherited == null && fused.whole().run(null);
    } catch (Throwable e) {
      failed(operation, e);
      return;
    }
    if (!isDone) {
      fused.parts().forEach(part -> run(part, part.work()));
    }
  }

  /** True when the operation is not to run, as far as is known; its variables count as not computed then. */
  public boolean skips(Operation operation) {
    return skips(operation, inherited(operation));
  }

  private boolean skips(Operation operation, @Nullable FailureRecord inherited) {
    if (inherited == null || runsAllTheSame(operation, inherited)) {
      return false;
    }
    operation.footprint().setPoison(inherited);
    return true;
  }

  /** Why everything is skipped now; null when it is not. */
  @Nullable
  FailureRecord closing() {
    return shutdown;
  }

  /** Asynchronous work has told its end; returns its own failure. */
  public @Nullable FailureRecord ended(Operation operation, @Nullable Throwable cause) {
    if (cause != null) {
      return failed(operation, cause);
    }
    succeeded(operation, inheritedFromValues(operation));
    return null;
  }

  /**
   * Writes a failure down for threads that wait for all, and poisons nothing: for work that has told its end before, so
   * that what it wrote may be in use, and for work on a stream, whose outcome carries the poison.
   */
  public FailureRecord writeDown(Operation operation, Throwable cause) {
    return failures.add(operation, cause);
  }

  /** The operation could not be run, or its work failed. */
  public FailureRecord failed(Operation operation, Throwable cause) {
    FailureRecord failure = failures.add(operation, cause);
    if (computes(operation)) {
      operation.footprint().setPoison(failure);
    }
    return failure;
  }

  private static void succeeded(Operation operation, @Nullable FailureRecord inherited) {
    if ((inherited != null || operation.overwrites()) && computes(operation)) {
      operation.footprint().setPoison(inherited);
    }
  }

  /** Why the operation can't compute anything, as far as is known. */
  @Nullable
  FailureRecord inherited(Operation operation) {
    FailureRecord closing = shutdown;
    return closing != null ? closing : inheritedFromValues(operation);
  }

  private static @Nullable FailureRecord inheritedFromValues(Operation operation) {
    return operation.footprint().poison(!operation.overwrites());
  }

  static boolean runsAllTheSame(Operation operation, FailureRecord inherited) {
    return !computes(operation) || (operation.property() == FunctionProperty.NO_SKIP && !inherited.isShutdown());
  }

  /** A delete has every variable for itself, but gives none a value. */
  private static boolean computes(Operation operation) {
    return operation.property() != FunctionProperty.DELETE;
  }
}
