package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/**
 * Why a value was never computed: which operation failed, where it was pushed, and what it threw; null when it was
 * skipped as its engine was shut down. Has identity: two failures of one operation are two.
 */
final class FailureRecord {
  private final String operation;
  private final String site;
  private final @Nullable Throwable cause;
  /** The variable whose delete has had its turn; null where an operation failed. */
  private final @Nullable Variable gone;
  private final @Nullable FailureRecord before;

  FailureRecord(Operation operation, Throwable cause) {
    this.operation = operation.name();
    this.site = operation.site();
    this.cause = cause;
    this.gone = null;
    this.before = null;
  }

  private FailureRecord(String operation, @Nullable Throwable cause, @Nullable Variable gone,
    @Nullable FailureRecord before) {
    this.operation = operation;
    this.site = "engine";
    this.cause = cause;
    this.gone = gone;
    this.before = before;
  }

  static FailureRecord ofShutdown() {
    return new FailureRecord("shutdown", null, null, null);
  }

  /** Made beforehand, for an operation that fails when the heap has no room to write down which. */
  static FailureRecord unnamed() {
    return new FailureRecord("unknown", new OutOfMemoryError("no heap to write down which operation failed, and why"),
      null, null);
  }

  /** Of a variable whose delete has had its turn: not even an operation that overwrites it may run. */
  static FailureRecord ofGone(Variable variable, @Nullable FailureRecord before) {
    return new FailureRecord("delete", null, variable, before);
  }

  /** What the operation threw. */
  Throwable cause() {
    if (gone != null) {
      return new IllegalStateException("a deleted variable: variable=" + gone.name());
    }
    if (cause == null) {
      throw new AssertionError("a shutdown has no cause");
    }
    return cause;
  }

  boolean isGone() {
    return gone != null;
  }

  /** Why the last value of a variable that is gone was not computed; null when it was. */
  @Nullable
  FailureRecord before() {
    return before;
  }

  boolean isShutdown() {
    return cause == null && gone == null;
  }

  /** For whoever waits for everything. */
  OperationFailed thrown() {
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

  /** For whoever wants the value of a variable. */
  OperationFailed thrown(Variable variable) {
    String why = cause == null
      ? "skipped, as the engine was shut down: variable=%s".formatted(variable)
      : "never computed, as an operation failed: variable=%s operation=%s site=%s cause=%s".formatted(variable,
        operation, site, cause);
    return new OperationFailed(why, operation, site, cause, true);
  }
}
