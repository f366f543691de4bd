package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.tensor.TensorView;

/**
 * Copies a call's first input to its first output, on the call's stream. Does nothing if both have the same memory.
 * Reads the input's address each time, because it may change between runs.
 */
public record DeviceCopy(KernelCall call, CudaStream stream) implements Runnable {

  public static DeviceCopy of(KernelCall call) {
    return new DeviceCopy(call, Launch.streamOf(call));
  }

  @Override
  public void run() {
    TensorView y = call.output(0);
    long from = call.input(0).segment().address();
    if (from != y.segment().address() && y.type().bytes() > 0) {
      stream.copyOnDevice(y.segment().address(), from, y.type().bytes());
    }
  }
}
