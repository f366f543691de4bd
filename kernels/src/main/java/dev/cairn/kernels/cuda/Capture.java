package dev.cairn.kernels.cuda;

import java.util.ArrayList;
import java.util.List;

/** A capture that is running: the streams that it reached, and the kernels launched, in order. For one thread. */
final class Capture {
  /** No capture. */
  static final Capture NONE = new Capture();

  private final List<CudaStream> streams = new ArrayList<>();
  private final List<CudaFunction> launches = new ArrayList<>();

  void join(CudaStream stream) {
    if (stream.capture() != this) {
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
    for (CudaStream stream : streams) {
      stream.endCapture(driver);
    }
  }
}
