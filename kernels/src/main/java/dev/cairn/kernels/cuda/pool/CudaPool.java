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

/** {@code MaxPool(x)} with outputs {@code y, indices?}, and {@code AveragePool(x)}, over up to three spatial axes. */
public final class CudaPool extends CudaKernel {
  private final boolean takesMaximum;

  /** @param takesMaximum whether to compute the maximum instead of the average */
  public CudaPool(KernelLibrary library, boolean takesMaximum) {
    super(library);
    this.takesMaximum = takesMaximum;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.input(0).shape().rank() <= 2 + WindowGeometry.MOST_SPATIAL;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    SlidingWindow window = SlidingWindow.ofPool(call.attributes(), x.shape());
    long count = call.output(0).elementCount();
    Launch.Builder launch = Launch.of(call, library.function("pool.cu", x.dtype(), takesMaximum
      ? "maximum_pool"
      : "average_pool")).input(0).output(0);
    if (takesMaximum) {
      if (call.outputCount() > 1) {
        launch.output(1);
      } else {
        launch.value(0L);
      }
      launch.value(count).value(PoolForm.of(call.attributes()).isColumnMajor() ? 1 : 0);
    } else {
      launch.value(count).value(PoolForm.of(call.attributes()).countsPadding() ? 1 : 0);
    }
    return launch.structure(WindowGeometry.bytes(window, x.shape())).overElements(count);
  }
}
