package dev.cairn.runtime.memory.planner.nnvm;

/** The role of a node for the planner. */
public enum NodeRole {
  /** An input or a weight: it has no inputs, one output and no step of its own. */
  VARIABLE,
  /** Reads its inputs and makes its outputs. */
  OPERATOR
}
