package dev.cairn.runtime.executor;

import dev.cairn.runtime.graph.Node;
import java.util.Objects;

/**
 * A step of a run threw something that is no refusal of what it was given: a fault of the device, of the machine or of
 * Cairn, which is the cause. The run has ended, and the next one is not concerned.
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
   * What a run throws of this: always with the step named, and with the cause.
   *
   * @param cause an argument that a kernel refuses stays an {@link IllegalArgumentException}
   */
  public static RuntimeException of(Node node, int step, Throwable cause) {
    return cause instanceof IllegalArgumentException || cause instanceof IndexOutOfBoundsException
      ? new IllegalArgumentException("a kernel rejected its inputs: node=%s operator=%s step=%d reason=%s"
        .formatted(node.name(), node.operator(), step, cause.getMessage()), cause)
      : new StepFailed(node, step, cause);
  }

  /** What the step threw. */
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

  /** Its place among the steps of the run, from 0 on. */
  public int step() {
    return step;
  }
}
