package dev.cairn.kernels.catalog;

import java.util.Map;
import java.util.Set;

/**
 * One operation on memory it is given. A kernel has no state that a caller could see: one object serves all calls on
 * all threads. It reads the inputs, writes every element of every output, and touches nothing else but its workspace.
 */
@FunctionalInterface
public interface Kernel {
  /** Runs once; on a device with queues, enqueues on the call's stream and returns. */
  void run(KernelCall call);

  /**
   * This kernel for the calls of one step of a plan, which it may then prepare with their types known.
   *
   * @param constants inputs whose bytes never change, and which the kernel may have stored in a form of its own
   */
  default PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    return new PlannedKernel(this, Map.of());
  }

  /**
   * A run of this call, with all done beforehand that can be: an executor keeps it as long as the call, and closes it
   * when it is {@link AutoCloseable}. It reads anew only where the operands lie that are bound anew; on the processor
   * those are not bound yet when it is made, so that a kernel which needs their types takes them from
   * {@link #planned}.
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

  /**
   * Whether {@link #workspaceBytesUpTo} can be told: a kernel of which it cannot does not serve plans in which smaller
   * shapes run as well.
   */
  default boolean servesSmallerCalls() {
    return true;
  }

  /** Whether this kernel can serve such a call at all; a faster twin may refuse what it is not written for. */
  default boolean accepts(KernelSignature signature) {
    return true;
  }
}
