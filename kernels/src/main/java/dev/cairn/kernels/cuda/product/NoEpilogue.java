package dev.cairn.kernels.cuda.product;

import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;

/** No epilogue: results are stored in output 0 unchanged. */
record NoEpilogue(KernelLibrary library) implements Epilogue {
  @Override
  public CudaFunction function(String source, DType dtype, String name) {
    return library.function(source, dtype, name);
  }

  @Override
  public Launch.Builder added(Launch.Builder launch) {
    return launch.output(0);
  }
}
