package dev.cairn.runtime.memory.planner.nnvm;

/** What TVM's fusion made of a node's group, from the tamest to the wildest. */
public enum FusionPattern {
  ELEMENTWISE,
  BROADCAST,
  INJECTIVE,
  REDUCTION,
  OUT_ELEMENTWISE_FUSABLE,
  OPAQUE;

  /** Whether each element of the result is made of the elements at its own place only. */
  public boolean isElementwiseOrBroadcast() {
    return compareTo(BROADCAST) <= 0;
  }
}
