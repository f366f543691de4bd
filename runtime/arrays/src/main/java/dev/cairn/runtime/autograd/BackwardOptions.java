package dev.cairn.runtime.autograd;

/**
 * How gradients are computed from a tape.
 *
 * @param retain whether the tape stays, for another backward
 * @param createGraph whether the operations of the gradient are recorded, so that they have gradients, too; the tape
 *   stays then
 */
public record BackwardOptions(boolean retain, boolean createGraph) {
  /** The tape is given up, and nothing is recorded. */
  public static final BackwardOptions DEFAULT = new BackwardOptions(false, false);

  public BackwardOptions withRetain(boolean wanted) {
    return new BackwardOptions(wanted, createGraph);
  }

  public BackwardOptions withCreateGraph(boolean wanted) {
    return new BackwardOptions(retain, wanted);
  }

  boolean keepsTape() {
    return retain || createGraph;
  }
}
