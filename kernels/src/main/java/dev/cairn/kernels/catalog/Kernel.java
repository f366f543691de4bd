package dev.cairn.kernels.catalog;

/**
 * One operation on memory it is given. A kernel has no state that a caller could see: one object serves all calls on
 * all threads. It reads the inputs, writes every element of every output, and touches nothing else but its workspace.
 */
@FunctionalInterface
public interface Kernel {
  /** Runs once; on a device with queues, enqueues on the call's stream and returns. */
  void run(KernelCall call);

  /**
   * A run of this call, with all done beforehand that can be: an executor keeps it as long as the call. It reads anew
   * only where the inputs lie that are bound anew.
   */
  default Runnable prepare(KernelCall call) {
    return () -> run(call);
  }

  /**
   * Whether the host reads an input when the call is prepared, as it does axes and sizes: such an input is a constant
   * in the host's memory, whichever device the others are on.
   */
  default boolean readsOnHost(int input) {
    return false;
  }

  /** Bytes of scratch memory that {@link #run} needs for such a call; 64-byte aligned memory is passed in. */
  default long workspaceBytes(KernelSignature signature) {
    return 0;
  }

  /**
   * Bytes of scratch memory that are enough for such a call and for every one of which no extent is greater. A kernel
   * that cuts small work into more parts may want more for it.
   */
  default long workspaceBytesUpTo(KernelSignature signature) {
    return workspaceBytes(signature);
  }

  /** Whether this kernel can serve such a call at all; a faster twin may refuse what it is not written for. */
  default boolean accepts(KernelSignature signature) {
    return true;
  }
}
