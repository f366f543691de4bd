package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorView;

/** {@code Softmax(x)} along one axis. Each block computes one line. */
public final class CudaSoftmax extends CudaKernel {
  public CudaSoftmax(KernelLibrary library) {
    super(library);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    AxisLines lines = AxisLines.of(x.shape(), call.attributes().getInt("axis", -1));
    return Launch.of(call, library.function("normalization.cu", x.dtype(), "softmax"))
      .input(0)
      .output(0)
      .value(lines.lines())
      .value(lines.length())
      .value(lines.inner())
      .with(Grids.ofLines(lines.lines(), lines.length()));
  }
}
