package dev.cairn.kernels.onednn;

/** Where a tensor of a program lies. */
sealed interface Place {
  /** An input of the call. */
  record Input(int index) implements Place {}

  /** An output of the call. */
  record Output(int index) implements Place {}

  /** The call's workspace, from an offset on. */
  record Workspace(long offset) implements Place {}
}
