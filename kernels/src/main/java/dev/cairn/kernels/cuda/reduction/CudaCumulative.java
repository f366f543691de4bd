package dev.cairn.kernels.cuda.reduction;

import dev.cairn.kernels.attribute.CumulativeForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.TensorView;

/** {@code CumSum(x, axis)}: cumulative sums along an axis. Each thread computes one line. */
public final class CudaCumulative extends CudaKernel {
  public CudaCumulative(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean readsOnHost(int input) {
    return input == 1;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    AxisLines lines = AxisLines.of(x.shape(), call.input(1).longAt(0));
    return Launch.of(call, library.function("reduction.cu", x.dtype(), "running_sums"))
      .input(0)
      .output(0)
      .value(lines.lines())
      .value(lines.length())
      .value(lines.inner())
      .value(CumulativeForm.of(call.attributes()).isExclusive() ? 1 : 0)
      .value(CumulativeForm.of(call.attributes()).isReversed() ? 1 : 0)
      .overElements(lines.lines());
  }
}
