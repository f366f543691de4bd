package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.NormalizedGroups;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code GroupNormalization(x, scale, bias)}: each group of neighbouring channels by its own mean and variance; scale
 * and bias are the channels' own.
 */
public final class CpuGroupNormalization implements Kernel {
  private static final long GRAIN = 1 << 12;

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    NormalizedGroups form = NormalizedGroups.of(call.attributes());
    var planes = ChannelPlanes.of(x.shape());
    long size = planes.channels() / form.groups();
    long elements = size * planes.elements();
    CpuStream.of(call).parallel(planes.planes() / size, Math.max(1, GRAIN / elements), (first, end) -> {
      double[] block = new double[Elements.BLOCK];
      for (long group = first; group < end; group++) {
        Moments moments = Moments.of(x, group * elements, elements, block);
        double inverse = moments.inverseDeviation(form.epsilon());
        for (long plane = group * size; plane < (group + 1) * size; plane++) {
          long channel = plane % planes.channels();
          double factor = call.input(1).doubleAt(channel) * inverse;
          planes.scale(x, y, plane, factor, call.input(2).doubleAt(channel) - moments.mean() * factor);
        }
      }
    });
  }
}
