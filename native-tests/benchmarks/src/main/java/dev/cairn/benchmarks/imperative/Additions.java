package dev.cairn.benchmarks.imperative;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;

/** Sums of two arrays of 16 floats, 1,000 in a row. */
final class Additions implements AutoCloseable {
  static final int CALLS = 1000;
  static final int ELEMENTS = 16;

  private final ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1));
  private final NDArray a = arrays.ones(DType.FLOAT32, ELEMENTS);
  private final NDArray b = arrays.ones(DType.FLOAT32, ELEMENTS);

  /** Nanoseconds of one call, until it returns. */
  double inTheCall(int batches) {
    long nanos = 0;
    for (int batch = 0; batch < batches; batch++) {
      try (var _ = arrays.scope()) {
        long start = System.nanoTime();
        calls();
        nanos += System.nanoTime() - start;
        arrays.waitAll();
      }
    }
    return (double) nanos / batches / CALLS;
  }

  /** Nanoseconds of one call, until all results are there. */
  double toTheResult(int batches) {
    long start = System.nanoTime();
    for (int batch = 0; batch < batches; batch++) {
      run();
    }
    return (double) (System.nanoTime() - start) / batches / CALLS;
  }

  /** Like {@link #toTheResult}, but so many calls run as one operation. */
  double inBulks(int batches, int bulk) {
    long start = System.nanoTime();
    for (int batch = 0; batch < batches; batch++) {
      try (var _ = arrays.scope()) {
        try (Engine.Bulk _ = arrays.bulk(bulk)) {
          calls();
        }
        arrays.waitAll();
      }
    }
    return (double) (System.nanoTime() - start) / batches / CALLS;
  }

  void run() {
    try (var _ = arrays.scope()) {
      calls();
      arrays.waitAll();
    }
  }

  private void calls() {
    for (int i = 0; i < CALLS; i++) {
      a.add(b);
    }
  }

  ArrayRuntime arrays() {
    return arrays;
  }

  @Override
  public void close() {
    a.close();
    b.close();
    arrays.close();
  }
}
