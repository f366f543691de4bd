package dev.cairn.kernels.device;

/**
 * Threads of a library, which also run loops of kernels in Java: threads of two teams that wait for work by spinning
 * would keep each other from the processor. Thread-safe.
 */
@FunctionalInterface
public interface ThreadTeam {
  /**
   * Runs a part once on each thread of the team, and waits for all of them. The caller may be one of these threads, or
   * run the part alone where the team is busy. If parts throw, this throws one of the failures after all have ended.
   */
  void runOnAll(Runnable part);
}
