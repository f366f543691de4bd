package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * A kernel in CUDA C. A call becomes one or a few launches on the call's stream, which must belong to the library's
 * device. Operands are in device memory, so only the addresses of their segments are used, except for inputs that
 * {@link #readsOnHost}.
 */
public abstract class CudaKernel implements Kernel {
  protected final KernelLibrary library;

  protected CudaKernel(KernelLibrary library) {
    this.library = library;
  }

  @Override
  public final void run(KernelCall call) {
    Runnable work = prepare(call);
    work.run();
    Launch.giveBack(work);
  }

  /** Prepares the launches. A run has nothing else to do. */
  @Override
  public abstract Runnable prepare(KernelCall call);

  /** A launch that broadcasts input 2, with this shape, to output 0. A library then adds its product to the output. */
  protected final Runnable stretched(KernelCall call, Shape added) {
    TensorView y = call.output(0);
    return Launch.of(call, library.function("elementwise.cu", y.dtype(), "stretch"))
      .input(2)
      .output(0)
      .value(y.elementCount())
      .structure(BroadcastWalk.of(y.shape(), added).bytes())
      .overElements(y.elementCount());
  }
}
