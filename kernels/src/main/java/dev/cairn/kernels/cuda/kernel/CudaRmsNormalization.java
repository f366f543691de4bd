package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.KernelCall;
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
    Shape row = CudaLayerNormalization.row(call);
    long length = row.elementCount();
    long rows = length == 0 ? 0 : x.elementCount() / length;
    return Launch.of(call, library.function("normalization.cu", x.dtype(), "root_mean_square"))
      .input(0)
      .input(1)
      .output(0)
      .value(rows)
      .value(length)
      .value(call.attributes().getFloat("epsilon", 1e-5f))
      .structure(BroadcastWalk.of(row, call.input(1).shape()).bytes())
      .with(Grids.ofLines(rows, length));
  }
}
