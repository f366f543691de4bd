package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.TensorView;

/** Mean and variance (of the whole population) of neighbouring elements, in two passes of {@code double}. */
record Moments(double mean, double variance) {

  static Moments of(TensorView x, long first, long count, double[] block) {
    double sum = 0;
    for (long at = 0; at < count; at += block.length) {
      int width = (int) Math.min(block.length, count - at);
      Elements.read(x, first + at, block, width);
      for (int i = 0; i < width; i++) {
        sum += block[i];
      }
    }
    double mean = sum / count;
    double squares = 0;
    for (long at = 0; at < count; at += block.length) {
      int width = (int) Math.min(block.length, count - at);
      Elements.read(x, first + at, block, width);
      for (int i = 0; i < width; i++) {
        squares += (block[i] - mean) * (block[i] - mean);
      }
    }
    return new Moments(mean, squares / count);
  }

  /** One over the standard deviation, kept finite by {@code epsilon}. */
  double inverseDeviation(double epsilon) {
    return 1 / Math.sqrt(variance + epsilon);
  }
}
