package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.NormalizedChannels;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;

/**
 * {@code BatchNormalizationGradient(h, x, scale, mean?, inverse?)}: gradients of {@code x}, scale and bias of a batch
 * normalisation in training, from the gradient {@code h} of its result. Mean and inverse deviation are the saved ones;
 * without them the kernel computes them again.
 *
 * <pre>
 * n = (x - mean) inverse;  bias: sum h;  scale: sum h n;  x: scale inverse (h - sum h / m - n sum (h n) / m)
 * </pre>
 */
public final class CpuBatchNormalizationGradient implements Kernel {
  @Override
  public void run(KernelCall call) {
    ChannelRange.parallel(call, range -> channels(call, range));
  }

  private static void channels(KernelCall call, ChannelRange range) {
    double[] mean;
    double[] inverse;
    if (call.has(3) && call.has(4)) {
      mean = CpuBatchTraining.read(call.input(3), range);
      inverse = CpuBatchTraining.read(call.input(4), range);
    } else {
      var moments = ChannelMoments.of(range, call.input(1));
      mean = moments.mean;
      inverse = moments.inverseDeviations(NormalizedChannels.of(call.attributes()).epsilon());
    }
    double[] heads = new double[range.channels()];
    double[] products = new double[range.channels()];
    double[][] blocks = ChannelRange.blocks(2);
    double[] h = blocks[0];
    double[] x = blocks[1];
    List<TensorView> read = List.of(call.input(0), call.input(1));
    range.walk(read, blocks, null, (channel, from, to) -> {
      double head = heads[channel];
      double product = products[channel];
      for (int i = from; i < to; i++) {
        head += h[i];
        product += h[i] * ((x[i] - mean[channel]) * inverse[channel]);
      }
      heads[channel] = head;
      products[channel] = product;
    });
    double[] scale = CpuBatchTraining.read(call.input(2), range);
    double count = range.elementsOfChannel();
    range.walk(read, blocks, call.output(0), (channel, from, to) -> {
      double factor = scale[channel] * inverse[channel];
      double head = heads[channel] / count;
      double product = products[channel] / count;
      for (int i = from; i < to; i++) {
        h[i] = factor * (h[i] - head - (x[i] - mean[channel]) * inverse[channel] * product);
      }
    });
    Elements.write(products, call.output(1), range.first(), products.length);
    Elements.write(heads, call.output(2), range.first(), heads.length);
  }
}
