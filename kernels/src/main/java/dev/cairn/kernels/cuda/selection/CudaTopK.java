package dev.cairn.kernels.cuda.selection;

import dev.cairn.kernels.attribute.TopForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.reduction.AxisLines;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code TopK(x, k)}: a block for each line selects by the digits of the elements, and ranks what it selected. The
 * ranking compares all pairs, so a k of many thousands is slow.
 */
public final class CudaTopK extends CudaKernel {
  public CudaTopK(KernelLibrary library) {
    super(library);
  }

  /** Places within a line are counted with 32 bits. */
  @Override
  public boolean accepts(KernelSignature signature) {
    var x = signature.input(0).shape();
    return x.rank() == 0 || x.extent(axis(TopForm.of(signature.attributes()).axis(), x.rank())) <= Integer.MAX_VALUE;
  }

  private static int axis(long axis, int rank) {
    return Math.toIntExact(axis < 0 ? axis + rank : axis);
  }

  /** The places that were selected, in any order. */
  @Override
  public long workspaceBytes(KernelSignature signature) {
    return signature.output(0).shape().elementCount() * Integer.BYTES;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    TensorView values = call.output(0);
    if (values.elementCount() == 0) {
      return () -> {};
    }
    long axis = TopForm.of(call.attributes()).axis();
    AxisLines lines = AxisLines.of(x.shape(), axis);
    Launch.Builder launch = Launch.of(call, library.function("selection.cu", x.dtype(), "top")).input(0).output(0);
    launch = call.outputCount() > 1 ? launch.output(1) : launch.value(0L);
    return launch.workspace(0)
      .value(lines.lines())
      .value(lines.length())
      .value(lines.inner())
      .value(AxisLines.of(values.shape(), axis).length())
      .value(TopForm.of(call.attributes()).largest() ? 1 : 0)
      .with(Grids.ofBlocks(lines.lines(), Grids.BLOCK_THREADS));
  }
}
