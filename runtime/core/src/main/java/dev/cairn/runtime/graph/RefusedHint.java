package dev.cairn.runtime.graph;

/** A hint on a node that cannot be obeyed. The message names the node, the hint and the reason. */
public final class RefusedHint extends InvalidGraph {
  private static final long serialVersionUID = 1;
  private final String hint;

  /** @param hint as it is written, {@code cairn.repeat=always} for example */
  public RefusedHint(String node, String hint, String reason) {
    super(node, "the hint %s cannot be obeyed: %s".formatted(hint, reason));
    this.hint = hint;
  }

  /** The hint's name and value, {@code cairn.repeat=always} for example. */
  public String hint() {
    return hint;
  }
}
