package dev.cairn.kernels.cuda.quantized;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;

/** {@code ByteTable(x, table)}: for each byte of x, the byte of a table of 256 that has this number. */
public final class CudaByteTable extends CudaKernel {
  public CudaByteTable(KernelLibrary library) {
    super(library);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    long count = call.output(0).elementCount();
    return Launch.of(call, library.function("quantize.cu", DType.UINT8, "look_up"))
      .input(0)
      .input(1)
      .output(0)
      .value(count)
      .overElements(count);
  }
}
