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

/**
 * {@code LayerNormalization(x, scale, bias?)} over all axes from {@code axis} on. Each block computes one row. Optional
 * outputs are each row's mean and the inverse of its standard deviation, in the input's type or the type of the
 * computation.
 */
public final class CudaLayerNormalization extends CudaKernel {
  public CudaLayerNormalization(KernelLibrary library) {
    super(library);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    NormalizedRows form = NormalizedRows.of(call.attributes(), x.shape());
    Shape scale = call.input(1).shape();
    Shape bias = call.has(2) ? call.input(2).shape() : Shape.SCALAR;
    boolean isWhole = !form.isSameForEachRow(scale) || !form.isSameForEachRow(bias);
    long length = form.length();
    long rows = form.rows();
    boolean wide = call.outputCount() > 1 && call.output(1).dtype() != x.dtype();
    Launch.Builder launch = Launch.of(call, library.function("normalization.cu", x.dtype(), "layer_normalization"))
      .input(0)
      .input(1)
      .input(2)
      .output(0);
    further(launch, call, 1);
    further(launch, call, 2);
    return launch.value(wide ? 1 : 0)
      .value(rows)
      .value(length)
      .value(form.epsilon())
      .value(isWhole ? 1 : 0)
      .structure((isWhole
        ? BroadcastWalk.of(x.shape(), scale, bias)
        : BroadcastWalk.of(form.row(), form.inRow(scale), form.inRow(bias))).bytes())
      .with(Grids.ofLines(rows, length));
  }

  private static void further(Launch.Builder launch, KernelCall call, int output) {
    if (output < call.outputCount()) {
      launch.output(output);
    } else {
      launch.value(0L);
    }
  }
}
