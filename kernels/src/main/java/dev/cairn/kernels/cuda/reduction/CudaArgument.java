package dev.cairn.kernels.cuda.reduction;

import dev.cairn.kernels.attribute.ArgumentForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code ArgMax(x)} and {@code ArgMin(x)}. A block computes a long line. A thread computes a short line, or one whose
 * neighbours are adjacent in memory.
 */
public final class CudaArgument extends CudaKernel {
  private static final int FEW = 32;

  private final boolean greatest;

  /** @param greatest whether the greatest element is looked for, or the least one */
  public CudaArgument(KernelLibrary library, boolean greatest) {
    super(library);
    this.greatest = greatest;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    AxisLines lines = AxisLines.of(x.shape(), ArgumentForm.of(call.attributes()).axis());
    boolean byThread = lines.length() < FEW || (lines.inner() > 1 && lines.lines() >= FEW);
    return Launch.of(call, library.function("selection.cu", x.dtype(), byThread
      ? "extreme_by_thread"
      : "extreme_by_block"))
      .input(0)
      .output(0)
      .value(lines.lines())
      .value(lines.length())
      .value(lines.inner())
      .value(greatest ? 1 : 0)
      .value(ArgumentForm.of(call.attributes()).takesLast() ? 1 : 0)
      .with(byThread ? Grids.ofElements(lines.lines()) : Grids.ofBlocks(lines.lines(), Grids.BLOCK_THREADS));
  }
}
