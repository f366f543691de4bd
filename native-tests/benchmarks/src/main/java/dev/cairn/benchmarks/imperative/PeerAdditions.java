package dev.cairn.benchmarks.imperative;

/** Like {@link Additions}, by another library, whose results are freed one by one as its bindings do. */
abstract class PeerAdditions implements AutoCloseable {
  /** Nanoseconds of one call, until it returns. */
  final double inTheCall(int batches) {
    long nanos = 0;
    for (int batch = 0; batch < batches; batch++) {
      long start = System.nanoTime();
      calls();
      nanos += System.nanoTime() - start;
      end();
    }
    return (double) nanos / batches / Additions.CALLS;
  }

  /** Nanoseconds of one call, until all results are there and freed. */
  final double toTheResult(int batches) {
    long start = System.nanoTime();
    for (int batch = 0; batch < batches; batch++) {
      calls();
      end();
    }
    return (double) (System.nanoTime() - start) / batches / Additions.CALLS;
  }

  /** Makes all results. */
  abstract void calls();

  /** Waits for the results, and frees them. */
  abstract void end();

  @Override
  public abstract void close();
}
