package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/**
 * Runs the work of operations whose turn has come, and handles failures: a failure is recorded, and what the operation
 * writes becomes poisoned. An operation that reads or changes such a value is skipped and passes the same poison on.
 * Poison stays until an operation that does not look at the old value has written the variable. Thread-safe.
 */
final class OperationRunner {
  private final Failures failures;
  private volatile @Nullable FailureRecord shutdown;

  OperationRunner(Failures failures) {
    this.failures = failures;
  }

  /** Whether everything but deletes is skipped from now on. */
  void skipAll(boolean skips) {
    shutdown = skips ? FailureRecord.ofShutdown() : null;
  }

  /** Runs work that has ended when it returns; returns its own failure, null when it was skipped or went well. */
  @Nullable
  FailureRecord run(Operation operation, Runnable work) {
    FailureRecord inherited = inherited(operation);
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

  /** True when the operation is not to run, as far as is known; its variables count as not computed then. */
  boolean skips(Operation operation) {
    return skips(operation, inherited(operation));
  }

  private boolean skips(Operation operation, @Nullable FailureRecord inherited) {
    if (inherited == null || runsAllTheSame(operation, inherited)) {
      return false;
    }
    operation.footprint().setPoison(inherited);
    return true;
  }

  /** Whether everything runs, and all of these values were computed, as far as is known. */
  boolean isClear(Footprint footprint) {
    return shutdown == null && footprint.poison(true) == null;
  }

  /** Why everything is skipped now; null when it is not. */
  @Nullable
  FailureRecord closing() {
    return shutdown;
  }

  /** Starts asynchronous work; false when it was skipped, and its end will not be told. */
  boolean start(Operation operation, AsyncBody body, Completion completion, AsyncFailure onFailure) {
    if (skips(operation)) {
      return false;
    }
    try {
      body.work().start(completion);
    } catch (Throwable e) {
      onFailure.failed(e);
    }
    return true;
  }

  /** To be told what asynchronous work threw as it was started. */
  @FunctionalInterface
  interface AsyncFailure {
    void failed(Throwable cause);
  }

  /** Asynchronous work has told its end; returns its own failure. */
  @Nullable
  FailureRecord ended(Operation operation, @Nullable Throwable cause) {
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
  FailureRecord writeDown(Operation operation, Throwable cause) {
    return failures.add(operation, cause);
  }

  /** The operation could not be run, or its work failed. */
  FailureRecord failed(Operation operation, Throwable cause) {
    FailureRecord failure = failures.add(operation, cause);
    if (computes(operation)) {
      operation.footprint().setPoison(failure);
    }
    return failure;
  }

  /** As {@link #failed}, where the heap has no room even to say which operation it was. */
  void failedUnnamed(Footprint footprint) {
    footprint.setPoison(failures.addUnnamed());
  }

  private static void succeeded(Operation operation, @Nullable FailureRecord inherited) {
    if ((inherited != null || operation.traits().overwrites()) && computes(operation)) {
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
    return operation.footprint().poison(!operation.traits().overwrites());
  }

  static boolean runsAllTheSame(Operation operation, FailureRecord inherited) {
    return !computes(operation) || (operation.property() == FunctionProperty.NO_SKIP && !inherited.isShutdown());
  }

  /** A delete has every variable for itself, but gives none a value. */
  private static boolean computes(Operation operation) {
    return operation.property() != FunctionProperty.DELETE;
  }
}
