package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.NormalizedChannels;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;

/**
 * {@code BatchNormalization(x, scale, bias, mean, variance)} with {@code training_mode=1}: each channel by its own
 * statistics. Results are {@code y}, the running mean and variance, and the batch's mean and inverse deviation (G-18).
 * The variance is that of the whole population.
 */
public final class CpuBatchTraining implements Kernel {
  @Override
  public boolean accepts(KernelSignature signature) {
    return NormalizedChannels.of(signature.attributes()).isTraining();
  }

  @Override
  public void run(KernelCall call) {
    ChannelRange.parallel(call, range -> channels(call, range));
  }

  private static void channels(KernelCall call, ChannelRange range) {
    TensorView x = call.input(0);
    var moments = ChannelMoments.of(range, x);
    double[] inverse = moments.inverseDeviations(NormalizedChannels.of(call.attributes()).epsilon());
    double[] factor = read(call.input(1), range);
    double[] offset = read(call.input(2), range);
    for (int i = 0; i < factor.length; i++) {
      factor[i] *= inverse[i];
      offset[i] -= moments.mean[i] * factor[i];
    }
    double[][] block = ChannelRange.blocks(1);
    double[] values = block[0];
    range.walk(List.of(x), block, call.output(0), (channel, from, to) -> {
      for (int i = from; i < to; i++) {
        values[i] = values[i] * factor[channel] + offset[channel];
      }
    });
    writeRunning(call, 1, range, moments.mean);
    writeRunning(call, 2, range, moments.variance);
    write(call, 3, range, moments.mean);
    write(call, 4, range, inverse);
  }

  /** One element for each channel of the range. */
  static double[] read(TensorView from, ChannelRange range) {
    double[] values = new double[range.channels()];
    Elements.read(from, range.first(), values, values.length);
    return values;
  }

  private static void writeRunning(KernelCall call, int output, ChannelRange range, double[] now) {
    if (output < call.outputCount()) {
      double momentum = NormalizedChannels.of(call.attributes()).momentum();
      double[] running = read(call.input(output + 2), range);
      for (int i = 0; i < running.length; i++) {
        running[i] = running[i] * momentum + now[i] * (1 - momentum);
      }
      write(call, output, range, running);
    }
  }

  private static void write(KernelCall call, int output, ChannelRange range, double[] values) {
    if (output < call.outputCount()) {
      Elements.write(values, call.output(output), range.first(), values.length);
    }
  }
}
