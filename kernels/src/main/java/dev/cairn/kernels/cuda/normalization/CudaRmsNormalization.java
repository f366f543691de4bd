package dev.cairn.kernels.cuda.normalization;

import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/** {@code RMSNormalization(x, scale)} over all axes from {@code axis} on. Each block computes one row. */
public final class CudaRmsNormalization extends CudaKernel {
  public CudaRmsNormalization(KernelLibrary library) {
    super(library);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    NormalizedRows form = NormalizedRows.of(call.attributes(), x.shape());
    Shape scale = call.input(1).shape();
    boolean isWhole = !form.isSameForEachRow(scale);
    long length = form.length();
    long rows = form.rows();
    return Launch.of(call, library.function("normalization.cu", x.dtype(), "root_mean_square"))
      .input(0)
      .input(1)
      .output(0)
      .value(rows)
      .value(length)
      .value(form.epsilon())
      .value(isWhole ? 1 : 0)
      .structure((isWhole
        ? BroadcastWalk.of(x.shape(), scale)
        : BroadcastWalk.of(form.row(), form.inRow(scale))).bytes())
      .with(Grids.ofLines(rows, length));
  }
}
