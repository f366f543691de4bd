package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * A kernel in CUDA C: a call becomes a launch, or a few one after the other, on the call's stream, which must be one of
 * the library's device. Operands lie in the device's memory: of their segments only the addresses are used, but for
 * inputs that {@link #readsOnHost}.
 */
public abstract class CudaKernel implements Kernel {
  protected final KernelLibrary library;

  protected CudaKernel(KernelLibrary library) {
    this.library = library;
  }

  @Override
  public final void run(KernelCall call) {
    prepare(call).run();
  }

  /** The launches; nothing else is left to do for a run. */
  @Override
  public abstract Runnable prepare(KernelCall call);

  /** Input 2 with this shape, stretched to output 0: what a product of a library is then added to. */
  final Runnable stretched(KernelCall call, Shape added) {
    TensorView y = call.output(0);
    return Launch.of(call, library.function("elementwise.cu", y.dtype(), "stretch"))
      .input(2)
      .output(0)
      .value(y.elementCount())
      .structure(BroadcastWalk.of(y.shape(), added).bytes())
      .overElements(y.elementCount());
  }
}
