package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Shape;

/** {@code ConvWeightGradient(x, h)} over up to three spatial axes. Each block computes one weight's gradient. */
public final class CudaConvWeightGradient extends CudaKernel {
  public CudaConvWeightGradient(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.input(0).shape().rank() <= 2 + WindowGeometry.MOST_SPATIAL;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    Shape x = call.input(0).shape();
    Shape weights = call.output(0).shape();
    SlidingWindow window = SlidingWindow.ofWeights(call.attributes(), x, weights);
    ConvolutionGroups groups = ConvolutionGroups.of(call.attributes(), x, weights);
    long count = weights.elementCount();
    long terms = call.input(1).elementCount() / Math.max(1, groups.outputs());
    return Launch.of(call, library.function("gradient.cu", call.input(0).dtype(), "weight_gradient"))
      .input(0)
      .input(1)
      .output(0)
      .value(count)
      .value((long) groups.batch())
      .value((long) groups.groups())
      .value((long) groups.inputsPerGroup())
      .value((long) groups.outputs())
      .structure(WindowGeometry.bytes(window, x))
      .with(Grids.ofLines(count, terms));
  }
}
