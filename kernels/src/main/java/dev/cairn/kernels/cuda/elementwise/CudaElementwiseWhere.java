package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.TensorView;

/** {@code Where(condition, a, b)}: all three operands broadcast to one shape. */
public final class CudaElementwiseWhere extends CudaKernel {
  public CudaElementwiseWhere(KernelLibrary library) {
    super(library);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView y = call.output(0);
    BroadcastWalk walk = BroadcastWalk.of(y.shape(), call.input(0).shape(), call.input(1).shape(), call.input(2)
      .shape());
    return Launch.of(call, library.function("elementwise.cu", y.dtype(), "where"))
      .input(0)
      .input(1)
      .input(2)
      .output(0)
      .value(y.elementCount())
      .structure(walk.bytes())
      .overElements(y.elementCount());
  }
}
