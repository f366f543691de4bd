package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;

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
}
