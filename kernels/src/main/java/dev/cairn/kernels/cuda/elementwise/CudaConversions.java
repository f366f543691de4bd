package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;

/** Kernels with two element types, {@code Cast} and {@code Pow}, and {@code Range}: twins of the portable ones. */
public final class CudaConversions {
  private static final String SOURCE = "conversion.cu";

  private CudaConversions() {}

  /** {@code Cast} to the output's type, with Java's rules of conversion. */
  public static CudaKernel cast(KernelLibrary library) {
    return new CudaKernel(library) {
      @Override
      public boolean accepts(KernelSignature signature) {
        return DType.COMPUTED.contains(signature.output(0).dtype());
      }

      @Override
      public Runnable prepare(KernelCall call) {
        TensorView x = call.input(0);
        return Launch.of(call, library.function(SOURCE, CudaElementTypes.definitions(x.dtype(), call.output(0).dtype()),
          "cast")).input(0).output(0).value(x.elementCount()).overElements(x.elementCount());
      }
    };
  }

  /** {@code Pow(base, exponent)}, computed in the base's type. */
  public static CudaKernel pow(KernelLibrary library) {
    return new CudaKernel(library) {
      @Override
      public Runnable prepare(KernelCall call) {
        TensorView y = call.output(0);
        return Launch
          .of(call, library.function(SOURCE, CudaElementTypes.definitions(call.input(0).dtype(), call.input(1)
            .dtype()), "raise"))
          .input(0)
          .input(1)
          .output(0)
          .value(y.elementCount())
          .structure(BroadcastWalk.of(y.shape(), call.input(0).shape(), call.input(1).shape()).bytes())
          .overElements(y.elementCount());
      }
    };
  }

  /** {@code Range(start, limit, delta)}. The output's extent gives the number of elements. */
  public static CudaKernel range(KernelLibrary library) {
    return new CudaKernel(library) {
      @Override
      public Runnable prepare(KernelCall call) {
        TensorView y = call.output(0);
        return Launch.of(call, library.function(SOURCE, CudaElementTypes.definitions(y.dtype(), y.dtype()), "range"))
          .input(0)
          .input(2)
          .output(0)
          .value(y.elementCount())
          .overElements(y.elementCount());
      }
    };
  }
}
