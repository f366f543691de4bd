package dev.cairn.kernels.cuda;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running capture: the streams that belong to it, and the launched kernels, in order. Not thread-safe. */
final class Capture {
  /** No capture. */
  static final Capture NONE = new Capture();

  private static final Logger LOG = LoggerFactory.getLogger(Capture.class);

  private final List<CudaStream> streams = new ArrayList<>();
  private final List<CudaFunction> launches = new ArrayList<>();

  void join(CudaStream stream) {
    if (stream.capture() != this) {
      if (streams.isEmpty()) {
        CudaDriver.CAPTURES.incrementAndGet();
      }
      stream.beginCapture(this);
      streams.add(stream);
    }
  }

  void noteLaunch(CudaFunction function) {
    if (this != NONE) {
      launches.add(function);
    }
  }

  List<CudaFunction> launches() {
    return List.copyOf(launches);
  }

  void end(CudaDriver driver) {
    CudaDriver.CAPTURES.decrementAndGet();
    for (CudaStream stream : streams) {
      try {
        stream.endCapture(driver);
      } catch (CudaFailure e) {
        LOG.debug("marks of a captured stream are recorded anew at their next use: stream={}", stream, e);
      }
    }
  }
}
