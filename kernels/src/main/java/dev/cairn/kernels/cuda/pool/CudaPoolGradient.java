package dev.cairn.kernels.cuda.pool;

import dev.cairn.kernels.attribute.PoolForm;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.convolution.WindowGeometry;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code MaxPoolGradient(x, y, h)} and {@code AveragePoolGradient(h)} over up to three spatial axes. Each thread
 * gathers what the windows over one element add to it.
 */
public final class CudaPoolGradient extends CudaKernel {
  private final boolean isOfMaxima;

  /** @param isOfMaxima whether the pool computes maxima instead of averages */
  public CudaPoolGradient(KernelLibrary library, boolean isOfMaxima) {
    super(library);
    this.isOfMaxima = isOfMaxima;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.input(0).shape().rank() <= 2 + WindowGeometry.MOST_SPATIAL;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView gradient = call.output(0);
    SlidingWindow window = SlidingWindow.ofPool(call.attributes(), gradient.shape());
    long count = gradient.elementCount();
    Launch.Builder launch = Launch.of(call, library.function("gradient.cu", gradient.dtype(), isOfMaxima
      ? "maximum_pool_gradient"
      : "average_pool_gradient")).input(0);
    if (isOfMaxima) {
      launch.input(1).input(2).output(0).value(count);
    } else {
      launch.output(0).value(count).value(PoolForm.of(call.attributes()).countsPadding() ? 1 : 0);
    }
    return launch.structure(WindowGeometry.bytes(window, gradient.shape())).overElements(count);
  }
}
