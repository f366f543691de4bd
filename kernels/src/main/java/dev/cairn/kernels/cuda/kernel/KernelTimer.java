package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.cuda.CudaEvent;
import dev.cairn.kernels.cuda.CudaStream;
import java.util.Arrays;

/** Says how long work takes on a device. */
@FunctionalInterface
public interface KernelTimer {
  /**
   * Milliseconds that the work takes there, once it has run before.
   *
   * @param stream an idle one, into which the work puts itself
   */
  double millis(CudaStream stream, Runnable work);

  /**
   * The median of up to five runs by the device's own clock, fewer once they have taken 10 ms: the longer a run, the
   * less its time varies.
   */
  static KernelTimer ofDevice() {
    return (stream, work) -> {
      double[] times = new double[5];
      int runs = 0;
      double spent = 0;
      try (CudaEvent begin = stream.device().newEvent(); CudaEvent end = stream.device().newEvent()) {
        while (runs < times.length && spent < 10) {
          begin.record(stream);
          work.run();
          end.record(stream);
          end.synchronize();
          times[runs] = begin.millisUntil(end);
          spent += times[runs];
          runs++;
        }
      }
      Arrays.sort(times, 0, runs);
      return times[runs / 2];
    };
  }
}
