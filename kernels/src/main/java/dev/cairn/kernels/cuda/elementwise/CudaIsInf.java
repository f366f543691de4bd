package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.attribute.InfinityForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;

/** Whether elements are infinite, with the signs that the attributes name. */
public final class CudaIsInf extends CudaKernel {
  public CudaIsInf(KernelLibrary library) {
    super(library);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    InfinityForm form = InfinityForm.of(call.attributes());
    long count = call.input(0).elementCount();
    return Launch.of(call, library.function("elementwise.cu", call.input(0).dtype(), "infinite"))
      .input(0)
      .output(0)
      .value(count)
      .value(form.positive() ? 1L : 0L)
      .value(form.negative() ? 1L : 0L)
      .overElements(count);
  }
}
