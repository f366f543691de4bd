package dev.cairn.kernels.cuda.normalization;

import dev.cairn.kernels.attribute.NormalizedChannels;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code BatchNormalization} with {@code training_mode=1}, and its gradient. Each block computes one channel. Scale and
 * bias have the type of the data; statistics may have the type in which it is computed.
 */
public final class CudaBatchTraining extends CudaKernel {
  private final boolean isGradient;

  /** @param isGradient whether to compute {@code BatchNormalizationGradient} */
  public CudaBatchTraining(KernelLibrary library, boolean isGradient) {
    super(library);
    this.isGradient = isGradient;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    if (!isGradient && !NormalizedChannels.of(signature.attributes()).isTraining()) {
      return false;
    }
    DType dtype = signature.input(0).dtype();
    return signature.input(isGradient ? 2 : 1).dtype() == dtype && (!signature.has(3) || isStatistic(signature.input(3),
      dtype));
  }

  /** Whether statistics of such data may have this type. */
  static boolean isStatistic(TensorType statistic, DType dtype) {
    return statistic.dtype() == dtype || (dtype.isHalf() && statistic.dtype() == DType.FLOAT32);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    Shape shape = x.shape();
    long channels = shape.rank() < 2 ? 1 : shape.extent(1);
    long elements = shape.rank() < 2 ? 1 : shape.elementCount(2, shape.rank());
    long images = shape.rank() == 0 ? 1 : shape.extent(0);
    Launch.Builder launch = Launch.of(call, library.function("training.cu", x.dtype(), isGradient
      ? "batch_gradient"
      : "batch_training"));
    for (int i = 0; i < 5; i++) {
      launch.input(i);
    }
    for (int i = 0; i < (isGradient ? 3 : 5); i++) {
      if (i < call.outputCount()) {
        launch.output(i);
      } else {
        launch.value(0L);
      }
    }
    launch.value(call.has(3) && call.input(3).dtype() != x.dtype() ? 1 : 0)
      .value(images)
      .value(channels)
      .value(elements)
      .value(NormalizedChannels.of(call.attributes()).epsilon());
    if (!isGradient) {
      launch.value(NormalizedChannels.of(call.attributes()).momentum());
    }
    LaunchShape grid = Grids.ofLines(channels, images * elements);
    return launch.with(grid);
  }
}
