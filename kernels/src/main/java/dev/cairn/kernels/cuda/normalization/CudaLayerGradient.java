package dev.cairn.kernels.cuda.normalization;

import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;

/**
 * {@code LayerNormalizationGradient}: first the statistics of all rows, then the gradients of scale and bias, and last
 * that of the data, which may take the place of an operand.
 */
public final class CudaLayerGradient extends CudaKernel {
  private static final int COLUMNS = 32;

  public CudaLayerGradient(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    DType dtype = signature.input(0).dtype();
    return signature.input(2).dtype() == dtype
      && (!signature.has(3) || CudaBatchTraining.isStatistic(signature.input(3),
        dtype));
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return 2 * NormalizedRows.of(signature.attributes(), signature.input(0).shape()).rows() * Double.BYTES;
  }

  /** Adds the means and inverse deviations, which lie in the workspace. */
  private static Launch.Builder statistics(Launch.Builder launch, long rows) {
    return launch.workspace(0).workspace(rows * Double.BYTES);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    NormalizedRows form = NormalizedRows.of(call.attributes(), x.shape());
    long length = form.length();
    long rows = form.rows();
    Launch.Builder first = Launch.of(call, library.function("training.cu", x.dtype(), "row_statistics"));
    Launch statistics = statistics(first.input(1).input(3).input(4), rows)
      .value(call.has(3) && call.input(3).dtype() != x.dtype() ? 1 : 0)
      .value(rows)
      .value(length)
      .value(form.epsilon())
      .with(Grids.ofLines(rows, length));
    Launch.Builder sums = Launch.of(call, library.function("training.cu", x.dtype(), "row_parameter_gradient"));
    Launch parameters = statistics(sums.input(0).input(1), rows)
      .output(1)
      .output(2)
      .value(rows)
      .value(length)
      .with(Grids.ofBlocks(Math.ceilDiv(length, COLUMNS), Grids.BLOCK_THREADS));
    Launch.Builder last = Launch.of(call, library.function("training.cu", x.dtype(), "row_gradient"));
    Launch data = statistics(last.input(0).input(1).input(2), rows)
      .output(0)
      .value(rows)
      .value(length)
      .structure(BroadcastWalk.of(form.row(), call.input(2).shape()).bytes())
      .with(Grids.ofLines(rows, length));
    return Launch.inOrder(List.of(statistics, parameters, data));
  }
}
