package dev.cairn.kernels.cuda.reduction;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.TensorView;

/** {@code Softmax(x)} and {@code LogSoftmax(x)} along one axis. Each block computes one line. */
public final class CudaSoftmax extends CudaKernel {
  private final String function;

  /** @param function of {@code normalization.cu}: {@code softmax} or {@code log_softmax} */
  public CudaSoftmax(KernelLibrary library, String function) {
    super(library);
    this.function = function;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    AxisLines lines = AxisLines.of(x.shape(), AxisForm.ofLines(call.attributes()).axis());
    return Launch.of(call, library.function("normalization.cu", x.dtype(), function))
      .input(0)
      .output(0)
      .value(lines.lines())
      .value(lines.length())
      .value(lines.inner())
      .with(Grids.ofLines(lines.lines(), lines.length()));
  }
}
