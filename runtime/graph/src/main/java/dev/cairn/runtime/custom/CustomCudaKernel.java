package dev.cairn.runtime.custom;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.tensor.DType;
import java.util.Optional;

/** The kernel of a user's operator in CUDA C. */
final class CustomCudaKernel extends CudaKernel {
  private final String operator;
  private final CudaKernelSource source;

  CustomCudaKernel(KernelLibrary library, String operator, CudaKernelSource source) {
    super(library);
    this.operator = operator;
    this.source = source;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return library.compilesGenerated();
  }

  @Override
  public Optional<String> lack() {
    return library.compilesGenerated()
      ? Optional.empty()
      : Optional.of("NVRTC, which compiles the operator's CUDA C, is not installed");
  }

  @Override
  public Runnable prepare(KernelCall call) {
    DType dtype = call.has(0) ? call.input(0).dtype() : call.output(0).dtype();
    try {
      return source.launch().prepare(call, library.generated(source.text(), CudaElementTypes.definitions(dtype), source
        .function()));
    } catch (RuntimeException e) {
      throw new CustomOperatorFailed(operator, e);
    }
  }
}
