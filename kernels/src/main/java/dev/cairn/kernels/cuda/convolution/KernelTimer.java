package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.cuda.CudaEvent;
import dev.cairn.kernels.cuda.CudaStream;
import java.util.Arrays;

/** Measures the time of work on a device. */
@FunctionalInterface
public interface KernelTimer {
  /**
   * Returns the milliseconds that the work takes. The work has run before.
   *
   * @param stream an idle stream, to which the work submits
   */
  double millis(CudaStream stream, Runnable work);

  /**
   * A timer that returns the median of up to five runs by the device's clock. It stops early after 10 ms, because the
   * time of longer runs varies less.
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
