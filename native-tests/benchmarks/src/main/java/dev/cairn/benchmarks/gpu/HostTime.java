package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.Sample;
import java.util.ArrayList;
import java.util.List;

/** The host's clock, around work that is given to a device. */
final class HostTime {
  private HostTime() {}

  /**
   * The median time of a batch, in nanoseconds.
   *
   * @param work is timed
   * @param after is not: waits until the device has nothing left to do
   */
  static double nanos(int batches, Runnable work, Runnable after) {
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      long began = System.nanoTime();
      work.run();
      nanos.add(System.nanoTime() - began);
      after.run();
    }
    return Sample.of(nanos).median();
  }
}
