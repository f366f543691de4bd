package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;

/** Whether elements are NaN. */
public final class CudaIsNaN extends CudaKernel {
  public CudaIsNaN(KernelLibrary library) {
    super(library);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    long count = call.input(0).elementCount();
    return Launch.of(call, library.function("elementwise.cu", call.input(0).dtype(), "not_a_number"))
      .input(0)
      .output(0)
      .value(count)
      .overElements(count);
  }
}
