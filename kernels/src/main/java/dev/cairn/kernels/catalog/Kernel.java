package dev.cairn.kernels.catalog;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One operation on memory that the caller passes in. A kernel has no visible state: one object serves all calls on all
 * threads. It reads the inputs, writes every element of every output, and uses no other memory but its workspace.
 */
@FunctionalInterface
public interface Kernel {
  /** Runs the call once. On a device with queues, adds the work to the call's stream and returns. */
  void run(KernelCall call);

  /**
   * Specializes this kernel for the calls of one step of a plan, whose types are known.
   *
   * @param constants indices of inputs whose bytes never change. The kernel may ask for them in its own format
   */
  default PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    return new PlannedKernel(this, Map.of());
  }

  /**
   * Prepares this call, so that each run has as little to do as possible. An executor keeps the prepared run as long as
   * the call, and closes it if it is {@link AutoCloseable}. Each run reads again only the addresses of operands that
   * change between runs. On the processor those operands are not bound yet when this method is called, so a kernel that
   * needs their types takes them from {@link #planned}.
   */
  default Runnable prepare(KernelCall call) {
    return () -> run(call);
  }

  /**
   * Whether a run that {@link #prepare} made reads all operands and the workspace from its call again, so that it can
   * serve further calls of its signature, one after the other.
   */
  default boolean isRebindable() {
    return false;
  }

  /**
   * Whether the host reads an input while it prepares the call, for example axes or sizes. Such an input is a constant
   * in host memory, on every device.
   */
  default boolean readsOnHost(int input) {
    return false;
  }

  /** Bytes of workspace that {@link #run} needs for a call with this signature. The caller aligns it to 64 bytes. */
  default long workspaceBytes(KernelSignature signature) {
    return 0;
  }

  /**
   * Bytes of workspace that suffice for this signature and for every signature with equal or smaller extents. A kernel
   * that splits small work into more parts may need more for it.
   */
  default long workspaceBytesUpTo(KernelSignature signature) {
    return workspaceBytes(signature);
  }

  /**
   * Whether the kernel knows {@link #workspaceBytesUpTo}. If not, it cannot be part of a plan that also runs smaller
   * shapes.
   */
  default boolean servesSmallerCalls() {
    return true;
  }

  /** Whether this kernel supports calls with this signature. A faster twin may support fewer than the portable one. */
  default boolean accepts(KernelSignature signature) {
    return true;
  }

  /** Why the kernel supports no call at all on this machine, as text for users; empty if it supports some. */
  default Optional<String> lack() {
    return Optional.empty();
  }
}
