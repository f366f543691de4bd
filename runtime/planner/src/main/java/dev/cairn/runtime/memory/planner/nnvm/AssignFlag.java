package dev.cairn.runtime.memory.planner.nnvm;

/** What becomes of a node because of assigns; upstream's numbers are the ordinals. */
public enum AssignFlag {
  /** No assign. */
  NONE,
  /** An assign that copies its right side into the variable. */
  COPY,
  /** An assign that does nothing: its right side is written into the variable's storage in the first place. */
  NOP
}
