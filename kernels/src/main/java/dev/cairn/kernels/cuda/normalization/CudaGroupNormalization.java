package dev.cairn.kernels.cuda.normalization;

import dev.cairn.kernels.attribute.NormalizedGroups;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/** {@code GroupNormalization(x, scale, bias)}: each block computes one group of channels. */
public final class CudaGroupNormalization extends CudaKernel {
  public CudaGroupNormalization(KernelLibrary library) {
    super(library);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    Shape shape = x.shape();
    NormalizedGroups form = NormalizedGroups.of(call.attributes());
    long groups = form.groups();
    long channels = shape.extent(1) / groups;
    long elements = shape.elementCount(2, shape.rank());
    long all = x.elementCount() == 0 ? 0 : shape.extent(0) * groups;
    return Launch.of(call, library.function("normalization.cu", x.dtype(), "group_normalization"))
      .input(0)
      .input(1)
      .input(2)
      .output(0)
      .value(all)
      .value(groups)
      .value(channels)
      .value(elements)
      .value(form.epsilon())
      .with(Grids.ofLines(all, channels * elements));
  }
}
