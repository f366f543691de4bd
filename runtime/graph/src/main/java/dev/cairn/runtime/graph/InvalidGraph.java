package dev.cairn.runtime.graph;

/** A graph, or a use of an operator in it, breaks a rule. The exception names the node. */
public class InvalidGraph extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final String node;

  public InvalidGraph(String node, String message) {
    super("%s: node=%s".formatted(message, node));
    this.node = node;
  }

  private InvalidGraph(InvalidGraph inside, String message) {
    super(message, inside);
    this.node = inside.node;
  }

  /** The same fault, with the trip of a loop in which it occurred. */
  public InvalidGraph inTrip(String loop, long trip) {
    return new InvalidGraph(this, "%s loop=%s trip=%d".formatted(getMessage(), loop, trip));
  }

  /** The name of the node, or of the graph if no single node is at fault. */
  public String node() {
    return node;
  }
}
