package dev.cairn.benchmarks.gpu;

import java.util.List;

/**
 * How long to measure.
 *
 * @param rounds in which each side has one turn
 * @param batches of calls in a turn
 * @param launches of a batch: fewer than a driver takes before it lets the host wait
 * @param nodes of the graph that is captured
 * @param allocations of a turn of Cairn's
 * @param driverAllocations of a turn of the driver's, which takes longer for each
 * @param largeBytes of the largest blocks that are asked for
 * @param copyBytes how much is copied at a time
 * @param copies of a batch
 * @param kernelMillis how long the kernels take that are to run beside something else
 * @param modelRuns of a model in a turn
 */
record GpuEffort(int rounds, int batches, int launches, int nodes, int allocations, int driverAllocations,
  long largeBytes, List<Long> copyBytes, int copies, double kernelMillis, int modelRuns) {
  /** Whose figures are kept. */
  static final GpuEffort FULL = new GpuEffort(9, 20, 256, 1_000, 100_000, 200, 64L << 20,
    List.of(32L << 20, 256L << 20), 8,
    10, 20);
  /** Only to see that everything works. */
  static final GpuEffort QUICK = new GpuEffort(3, 3, 64, 1_000, 2_000, 20, 2L << 20, List.of(1L << 20, 4L << 20), 2, 1,
    2);
}
