package dev.cairn.kernels.onednn;

/** The place of a tensor of a program. */
sealed interface OperandPlace {
  /** An input of the call. */
  record Input(int index) implements OperandPlace {}

  /** An output of the call. */
  record Output(int index) implements OperandPlace {}

  /** The scratch memory that all primitives of a program share, one after the other. */
  record Scratchpad() implements OperandPlace {}

  /** The call's workspace, from an offset on. */
  record Workspace(long offset) implements OperandPlace {}
}
