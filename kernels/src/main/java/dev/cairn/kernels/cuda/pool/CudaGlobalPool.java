package dev.cairn.kernels.cuda.pool;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/** {@code GlobalAveragePool(x)} and {@code GlobalMaxPool(x)}. Each block computes one plane. */
public final class CudaGlobalPool extends CudaKernel {
  private final String function;

  /** @param function a function of {@code reduction.cu} */
  public CudaGlobalPool(KernelLibrary library, String function) {
    super(library);
    this.function = function;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    Shape shape = x.shape();
    long planes = shape.elementCount(0, 2);
    long elements = shape.elementCount(2, shape.rank());
    return Launch.of(call, library.function("reduction.cu", x.dtype(), function + "_by_block"))
      .input(0)
      .output(0)
      .value(planes)
      .value(elements)
      .structure(BroadcastWalk.of(new long[] {planes}, new long[] {elements}).bytes())
      .structure(BroadcastWalk.of(new long[] {elements}, new long[] {1}).bytes())
      .with(Grids.ofLines(planes, elements));
  }
}
