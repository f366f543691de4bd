package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.ResponseWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * {@code LRN(x)}, normalisation over neighbouring channels: {@code x / (bias + alpha/size * sum of x^2)^beta}, where
 * the sum is over {@code size} channels around, of which {@code (size-1)/2} lie before, and those beyond the ends
 * count nothing. The output must not lie over the input.
 */
public final class CpuLrn implements Kernel {
  private static final long GRAIN = 1 << 11;

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    ResponseWindow window = ResponseWindow.of(call.attributes());
    double alpha = window.alpha();
    double beta = window.beta();
    double bias = window.bias();
    long size = window.size();
    var planes = ChannelPlanes.of(x.shape());
    CpuStream.of(call).parallel(planes.planes(), planes.grain(GRAIN), (first, end) -> {
      double[] block = new double[Elements.BLOCK];
      double[] sums = new double[Elements.BLOCK];
      for (long plane = first; plane < end; plane++) {
        long channel = plane % planes.channels();
        long from = plane - Math.min(channel, (size - 1) / 2);
        long to = plane + Math.min(planes.channels() - 1 - channel, size / 2);
        for (long at = 0; at < planes.elements(); at += block.length) {
          int count = (int) Math.min(block.length, planes.elements() - at);
          Arrays.fill(sums, 0);
          for (long other = from; other <= to; other++) {
            Elements.read(x, other * planes.elements() + at, block, count);
            for (int i = 0; i < count; i++) {
              sums[i] += block[i] * block[i];
            }
          }
          Elements.read(x, plane * planes.elements() + at, block, count);
          for (int i = 0; i < count; i++) {
            block[i] /= Math.pow(bias + alpha / size * sums[i], beta);
          }
          Elements.write(block, y, plane * planes.elements() + at, count);
        }
      }
    });
  }
}
