package dev.cairn.runtime.memory.planner.nnvm;

/** What a node is to the planner. */
public enum NodeRole {
  /** An input or a weight: it has no inputs, one output and no step of its own. */
  VARIABLE,
  /** Reads its inputs and makes its outputs. */
  OPERATOR
}
