package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.tensor.TensorView;
import java.util.List;

/** Mean and variance (of the whole population) of each channel of a range, in two passes of {@code double}. */
final class ChannelMoments {
  final double[] mean;
  final double[] variance;

  private ChannelMoments(double[] mean, double[] variance) {
    this.mean = mean;
    this.variance = variance;
  }

  static ChannelMoments of(ChannelRange range, TensorView x) {
    double[] mean = new double[range.channels()];
    double[] variance = new double[range.channels()];
    double[][] block = ChannelRange.blocks(1);
    double[] values = block[0];
    range.walk(List.of(x), block, null, (channel, from, to) -> {
      double sum = mean[channel];
      for (int i = from; i < to; i++) {
        sum += values[i];
      }
      mean[channel] = sum;
    });
    divide(mean, (double) range.elementsOfChannel());
    range.walk(List.of(x), block, null, (channel, from, to) -> {
      double sum = variance[channel];
      for (int i = from; i < to; i++) {
        sum += (values[i] - mean[channel]) * (values[i] - mean[channel]);
      }
      variance[channel] = sum;
    });
    divide(variance, (double) range.elementsOfChannel());
    return new ChannelMoments(mean, variance);
  }

  static void divide(double[] sums, double count) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] /= count;
    }
  }

  /** One over each channel's standard deviation, kept finite by {@code epsilon}. */
  double[] inverseDeviations(double epsilon) {
    double[] inverse = new double[variance.length];
    for (int i = 0; i < inverse.length; i++) {
      inverse[i] = 1 / Math.sqrt(variance[i] + epsilon);
    }
    return inverse;
  }
}
