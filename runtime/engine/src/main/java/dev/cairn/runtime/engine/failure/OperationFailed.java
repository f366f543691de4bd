package dev.cairn.runtime.engine.failure;

import org.jspecify.annotations.Nullable;

/**
 * An operation failed, or a value is asked for that was not computed because of that. The cause is what the operation
 * threw; further failures that are reported together with it are suppressed ones.
 */
public final class OperationFailed extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final String operation;
  private final String site;

  /** @param isThrown whether it is thrown; else it goes with one that is, and needs no stack of its own */
  OperationFailed(String message, String operation, String site, @Nullable Throwable cause, boolean isThrown) {
    super(message, cause, isThrown, isThrown);
    this.operation = operation;
    this.site = site;
  }

  /**
   * The same failure with a longer message.
   *
   * @param what the value that the caller wants, before this message
   * @param remedy behind this message
   */
  public OperationFailed of(String what, String remedy) {
    var failed = new OperationFailed(what + ": " + getMessage() + remedy, operation, site, getCause(), true);
    for (Throwable other : getSuppressed()) {
      failed.addSuppressed(other);
    }
    return failed;
  }

  /** The name of the operation that failed. */
  public String operation() {
    return operation;
  }

  /** Where it was pushed: as it was given or captured, else the class its work was written in. */
  public String site() {
    return site;
  }
}
