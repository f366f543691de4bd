package dev.cairn.kernels.catalog;

/**
 * One operation on memory it is given. A kernel has no state: one object serves all calls on all threads. It reads the
 * inputs, writes every element of every output, and touches nothing else but its workspace.
 */
@FunctionalInterface
public interface Kernel {
  /** Runs once; on a device with queues, enqueues on the call's stream and returns. */
  void run(KernelCall call);

  /** Bytes of scratch memory that {@link #run} needs for such a call; 64-byte aligned memory is passed in. */
  default long workspaceBytes(KernelSignature signature) {
    return 0;
  }

  /** Whether this kernel can serve such a call at all; a faster twin may refuse what it is not written for. */
  default boolean accepts(KernelSignature signature) {
    return true;
  }
}
