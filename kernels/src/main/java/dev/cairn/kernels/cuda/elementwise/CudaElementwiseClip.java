package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.TensorView;

/** {@code Clip(x, min?, max?)}: bounds each element. If {@code min} is above {@code max}, all become {@code max}. */
public final class CudaElementwiseClip extends CudaKernel {
  public CudaElementwiseClip(KernelLibrary library) {
    super(library);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    return Launch.of(call, library.function("elementwise.cu", x.dtype(), "clip"))
      .input(0)
      .input(1)
      .input(2)
      .output(0)
      .value(x.elementCount())
      .overElements(x.elementCount());
  }
}
