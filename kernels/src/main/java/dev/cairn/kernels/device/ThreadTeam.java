package dev.cairn.kernels.device;

/**
 * Threads of a library, which also run loops of kernels in Java: threads of two teams that wait for work by spinning
 * would keep each other from the processor. Thread-safe.
 */
@FunctionalInterface
public interface ThreadTeam {
  /** Runs a part on every thread of the team and on the caller's, and waits for all. The part must not throw. */
  void runOnAll(Runnable part);
}
