package dev.cairn.runtime.ndarray;

/** Work of an operation that runs one kernel on the processor. */
sealed interface KernelWork extends Runnable permits Invocation, SmallInvocation {
  /** How many bytes the operands, the results and the scratch memory have. */
  long bytes();
}
