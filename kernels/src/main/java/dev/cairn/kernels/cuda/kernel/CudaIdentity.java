package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.tensor.TensorView;

/**
 * Operators that leave the elements as they are, in their order; a copy on the device, and nothing at all where the
 * output lies over the input. {@code Dropout}'s second output, the mask, is all true.
 */
public final class CudaIdentity extends CudaKernel {
  private static final byte TRUE = 1;
  private final boolean isDropout;

  /** @param isDropout whether there may be a mask, and training, which is refused */
  public CudaIdentity(KernelLibrary library, boolean isDropout) {
    super(library);
    this.isDropout = isDropout;
  }

  @Override
  public boolean readsOnHost(int input) {
    return input > 0;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    if (isDropout && call.has(2) && call.input(2).longAt(0) != 0 && (!call.has(1) || call.input(1).doubleAt(0) != 0)) {
      throw new IllegalArgumentException("no kernel drops elements in training: operator=Dropout");
    }
    if (!(call.stream() instanceof CudaStream stream)) {
      throw new IllegalArgumentException("not a stream of CUDA: stream=" + call.stream());
    }
    TensorView y = call.output(0);
    return () -> {
      long from = call.input(0).segment().address();
      if (from != y.segment().address() && y.type().bytes() > 0) {
        stream.copyOnDevice(y.segment().address(), from, y.type().bytes());
      }
      if (isDropout && call.outputCount() > 1 && call.output(1).type().bytes() > 0) {
        stream.fill(call.output(1).segment().address(), TRUE, call.output(1).type().bytes());
      }
    };
  }
}
