package dev.cairn.runtime.custom;

import java.util.Objects;

/**
 * The code of a user's operator threw an exception, which is the cause, or did not do what the operator promises. A run
 * throws {@link dev.cairn.runtime.executor.StepFailed} instead, which also names the node.
 */
public final class CustomOperatorFailed extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final String operator;

  CustomOperatorFailed(String operator, Throwable cause) {
    super("an operator of a user failed: operator=%s reason=%s".formatted(operator, cause), cause);
    this.operator = operator;
  }

  /** The operator's domain and name. */
  public String operator() {
    return operator;
  }

  /** The exception of the operator's code, or a {@link BrokenPromise}. */
  @Override
  public synchronized Throwable getCause() {
    return Objects.requireNonNull(super.getCause());
  }
}
