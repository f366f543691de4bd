package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.NormalizedGroups;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/** {@code InstanceNormalization(x, scale, bias)}: each plane by its own mean and variance. */
public final class CpuInstanceNormalization implements Kernel {
  private static final long GRAIN = 1 << 12;

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    var planes = ChannelPlanes.of(x.shape());
    double epsilon = NormalizedGroups.ofChannels(call.attributes(), planes.channels()).epsilon();
    CpuStream.of(call).parallel(planes.planes(), planes.grain(GRAIN), (first, end) -> {
      double[] block = new double[Elements.BLOCK];
      for (long plane = first; plane < end; plane++) {
        long channel = plane % planes.channels();
        Moments moments = Moments.of(x, plane * planes.elements(), planes.elements(), block);
        double factor = call.input(1).doubleAt(channel) * moments.inverseDeviation(epsilon);
        planes.scale(x, y, plane, factor, call.input(2).doubleAt(channel) - moments.mean() * factor);
      }
    });
  }
}
