package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.NormalizedChannels;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code BatchNormalization(x, scale, bias, mean, variance)} at inference: one factor and one offset for each
 * channel.
 */
public final class CpuBatchNormalization implements Kernel {
  private static final long GRAIN = 1 << 12;

  @Override
  public boolean accepts(KernelSignature signature) {
    return !NormalizedChannels.of(signature.attributes()).isTraining();
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    double epsilon = NormalizedChannels.of(call.attributes()).epsilon();
    var planes = ChannelPlanes.of(x.shape());
    CpuStream.of(call).parallel(planes.planes(), planes.grain(GRAIN), (first, end) -> {
      for (long plane = first; plane < end; plane++) {
        long channel = plane % planes.channels();
        double factor = call.input(1).doubleAt(channel) / Math.sqrt(call.input(4).doubleAt(channel) + epsilon);
        double offset = call.input(2).doubleAt(channel) - call.input(3).doubleAt(channel) * factor;
        planes.scale(x, y, plane, factor, offset);
      }
    });
  }
}
