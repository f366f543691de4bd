package dev.cairn.benchmarks.gpu;

/**
 * How long to measure.
 *
 * @param rounds in which each side has one turn
 * @param batches of calls in a turn
 * @param launches of a batch: fewer than a driver takes before it lets the host wait
 * @param nodes of the graph that is captured
 * @param modelRuns of a model in a turn
 */
record GpuEffort(int rounds, int batches, int launches, int nodes, int modelRuns) {
  /** For figures that are kept. */
  static final GpuEffort FULL = new GpuEffort(9, 20, 256, 1_000, 20);
  /** Only to see that everything works. */
  static final GpuEffort QUICK = new GpuEffort(3, 3, 64, 1_000, 2);
}
