package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.value.Tensor;
import java.util.Random;

/** Small networks, and batches of a linear function that they can learn. */
final class LinearTask {
  static final int INPUTS = 4;
  static final int OUTPUTS = 3;

  private LinearTask() {}

  static Layer net() {
    return Sequential.of(Dense.of(16), Activation.relu(), Dense.of(OUTPUTS));
  }

  static TensorType dataType(int rows) {
    return new TensorType(DType.FLOAT32, Shape.of(rows, INPUTS));
  }

  static TensorType labelsType(int rows) {
    return new TensorType(DType.FLOAT32, Shape.of(rows, OUTPUTS));
  }

  static float[] values(int seed, int count) {
    var random = new Random(seed);
    float[] values = new float[count];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return values;
  }

  static Tensor data(int seed, int rows) {
    return Tensor.of(values(seed, rows * INPUTS), rows, INPUTS);
  }

  /** The labels for the data with the same seed: the sum and two differences of its columns. */
  static Tensor labels(int seed, int rows) {
    return labelsOf(values(seed, rows * INPUTS));
  }

  static Tensor labelsOf(float[] x) {
    int rows = x.length / INPUTS;
    float[] y = new float[rows * OUTPUTS];
    for (int row = 0; row < rows; row++) {
      int at = row * INPUTS;
      y[row * OUTPUTS] = x[at] + x[at + 1] + x[at + 2] + x[at + 3];
      y[row * OUTPUTS + 1] = x[at] - x[at + 1];
      y[row * OUTPUTS + 2] = x[at + 2] - x[at + 3];
    }
    return Tensor.of(y, rows, OUTPUTS);
  }

  /** Runs iterations on batches of their own, from one number to before another, and gives the last loss. */
  static double run(Trainer trainer, int from, int to, int rows) {
    double loss = Double.NaN;
    for (int i = from; i < to; i++) {
      try (Tensor x = data(i, rows); Tensor y = labels(i, rows)) {
        loss = trainer.iterate(x, y);
      }
    }
    return loss;
  }
}
