package dev.cairn.runtime.engine.failure;

import org.jspecify.annotations.Nullable;

/**
 * Why a value was never computed: which operation failed, where it was pushed, and what it threw; null when it was
 * skipped as its engine was shut down. Has identity: two failures of one operation are two.
 */
public final class FailureRecord {
  private final String operation;
  private final String site;
  private final @Nullable Throwable cause;

  FailureRecord(NamedWork operation, Throwable cause) {
    this.operation = operation.name();
    this.site = operation.site();
    this.cause = cause;
  }

  private FailureRecord(String operation, @Nullable Throwable cause) {
    this.operation = operation;
    this.site = "engine";
    this.cause = cause;
  }

  /** For everything that a shutdown skips. */
  public static FailureRecord ofShutdown() {
    return new FailureRecord("shutdown", null);
  }

  /** Made beforehand, for an operation that fails when the heap has no room to write down which. */
  static FailureRecord unnamed() {
    return new FailureRecord("unknown", new OutOfMemoryError("no heap to write down which operation failed, and why"));
  }

  /** Whether a shutdown skipped the operation. */
  public boolean isShutdown() {
    return cause == null;
  }

  /** For a wait for everything. */
  public OperationFailed thrown() {
    return new OperationFailed(words(), operation, site, cause, true);
  }

  /** To go with another one, of which there may be very many: without a stack of its own, which is the other's. */
  OperationFailed suppressed() {
    return new OperationFailed(words(), operation, site, cause, false);
  }

  private String words() {
    return cause == null
      ? "skipped, as the engine was shut down"
      : "an operation failed: operation=" + operation + " site=" + site + " cause=" + cause;
  }

  /** For a thread that wants the value of a variable. */
  OperationFailed thrown(Object variable) {
    String why = cause == null
      ? "skipped, as the engine was shut down: variable=%s".formatted(variable)
      : "never computed, as an operation failed: variable=%s operation=%s site=%s cause=%s".formatted(variable,
        operation, site, cause);
    return new OperationFailed(why, operation, site, cause, true);
  }
}
