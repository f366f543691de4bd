package dev.cairn.runtime.train;

import java.util.Locale;

/** The phase of an iteration to which a node belongs. */
public enum IterationPhase {
  /** From the data to the loss. */
  FORWARD,
  /** From the loss to the gradients. */
  BACKWARD,
  /** From gradients to new values of parameters and states. */
  UPDATE;

  /** In the name of every node that computes a gradient. */
  private static final String GRADIENT = "/gradient";

  /** @param node a node's name */
  public static IterationPhase of(String node) {
    return node.startsWith(IterationGraph.UPDATE + "/") ? UPDATE : node.contains(GRADIENT) ? BACKWARD : FORWARD;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
