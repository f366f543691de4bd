package dev.cairn.benchmarks.gpu;

/** One engine with one model open. A run begins and ends with inputs and outputs in the host's memory. */
interface ModelSide extends AutoCloseable {
  /** The figures of a run: the median of so many. */
  double medianMillis(int runs);

  /** The most bytes of the device that tensors took so far. */
  long peakBytes();

  @Override
  void close();
}
