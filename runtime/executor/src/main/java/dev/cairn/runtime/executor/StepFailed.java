package dev.cairn.runtime.executor;

import dev.cairn.runtime.custom.CustomOperatorFailed;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.util.Objects;

/**
 * A step failed for another reason than invalid input: a fault of the device, the machine, Cairn or the code of a
 * user's operator, which is the cause.
 * The run has ended; later runs are not affected.
 */
public final class StepFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String node;
  private final String operator;
  private final int step;

  private StepFailed(Node node, int step, Throwable cause) {
    super("a step failed: node=%s operator=%s step=%d reason=%s".formatted(node.name(), node.operator(), step, cause),
      cause);
    this.node = node.name();
    this.operator = node.operator();
    this.step = step;
  }

  /**
   * The exception that a run throws for a step's failure; it names the step and keeps the cause.
   *
   * @param cause the failure; an {@link IllegalArgumentException} of a kernel keeps its type. A
   *   failure inside of a body, which names a node already, stays as it is
   */
  public static RuntimeException of(Node node, int step, Throwable cause) {
    boolean isNamed = cause instanceof StepFailed || cause instanceof RunStopped
      || (node.kind() instanceof NodeKind.Control && cause instanceof IllegalArgumentException);
    if (isNamed) {
      return (RuntimeException) cause;
    }
    if (cause instanceof CustomOperatorFailed custom) {
      return new StepFailed(node, step, custom.getCause());
    }
    return cause instanceof IllegalArgumentException || cause instanceof IndexOutOfBoundsException
      ? new IllegalArgumentException("a kernel rejected its inputs: node=%s operator=%s step=%d reason=%s"
        .formatted(node.name(), node.operator(), step, cause.getMessage()), cause)
      : new StepFailed(node, step, cause);
  }

  private StepFailed(StepFailed inside, String message) {
    super(message, inside.getCause());
    this.node = inside.node;
    this.operator = inside.operator;
    this.step = inside.step;
  }

  /** This failure in one trip of a loop. */
  StepFailed inTrip(String loop, long trip) {
    return new StepFailed(this, "%s loop=%s trip=%d".formatted(getMessage(), loop, trip));
  }

  /** The step's exception. */
  @Override
  public synchronized Throwable getCause() {
    return Objects.requireNonNull(super.getCause());
  }

  public String node() {
    return node;
  }

  public String operator() {
    return operator;
  }

  /** The step's index in the run, from 0; in a model that runs in parts, its index in the part. */
  public int step() {
    return step;
  }
}
