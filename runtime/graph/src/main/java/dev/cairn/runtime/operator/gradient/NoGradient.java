package dev.cairn.runtime.operator.gradient;

/** A use of an operator that its gradient rule does not cover. */
public final class NoGradient extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String reason;

  NoGradient(String node, String operator, String reason) {
    super("%s (%s): no gradient: %s".formatted(node, operator, reason));
    this.reason = reason;
  }

  /** Why this use has no gradient. */
  public String reason() {
    return reason;
  }
}
